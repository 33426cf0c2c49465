// Owns the format of config.json: what a person may set, with defaults. Unknown fields are kept on rewrite.
import { z } from 'zod'
import { DEFAULT_AUTO_THRESHOLD, MAX_IDLE_COMPACTION_HOURS } from '../constants'

export const ApprovalMode = z.enum(['ask', 'accept-edits', 'auto'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

export const ThinkingLevel = z.enum(['off', 'low', 'medium', 'high'])
export type ThinkingLevel = z.infer<typeof ThinkingLevel>

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

export const ProjectEntry = z.looseObject({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  /** May agents, skills and hooks of the project be loaded? Unset until the one trust prompt was answered. */
  trusted: z.boolean().optional(),
  addedAtMs: z.number()
})
export type ProjectEntry = z.infer<typeof ProjectEntry>

export const WindowState = z.looseObject({
  x: z.number().optional(),
  y: z.number().optional(),
  width: z.number(),
  height: z.number(),
  maximized: z.boolean().optional()
})
export type WindowState = z.infer<typeof WindowState>

export const Settings = z.looseObject({
  /** PROVIDER_ID:MODEL_ID of new workspaces. */
  defaultModel: z.string().default('demo:tide-1'),
  defaultAgent: z.string().default('exec'),
  approvalMode: ApprovalMode.default('ask'),
  thinkingLevel: ThinkingLevel.default('off'),
  /** Share of the context limit; 1 or more turns automatic handling off. */
  autoThreshold: z.number().min(0.2).default(DEFAULT_AUTO_THRESHOLD),
  /** Per model overrides of the threshold, by PROVIDER_ID:MODEL_ID. */
  modelThresholds: z.record(z.string(), z.number().min(0.2)).default({}),
  /** Whole hours without anything new after which an open window is summarised by itself (C-3); 0 is off. */
  idleCompactionHours: z.number().int().min(0).max(MAX_IDLE_COMPACTION_HOURS).default(0),
  experiments: z.record(z.string(), z.boolean()).default({}),
  memory: z.enum(['on', 'off', 'read-only']).default('on'),
  hotMemories: z.boolean().default(true),
  /** `sync` waits for the disk at each append; `relaxed` leaves it to the system. */
  durability: z.enum(['sync', 'relaxed']).default('sync'),
  theme: Theme.default('system'),
  /** Shows in the conversation what the app writes for the agent alone, such as lead-ins. */
  machineRows: z.boolean().default(false),
  /** Offers that the person does not want to see again, by the name of what was offered. */
  dismissedOffers: z.array(z.string()).default([]),
  projects: z.array(ProjectEntry).default([]),
  window: WindowState.optional()
})
export type Settings = z.infer<typeof Settings>

/** The settings of a fresh installation. */
export function defaultSettings(): Settings {
  return Settings.parse({})
}
