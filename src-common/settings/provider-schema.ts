// Owns the format of providers.json. Keys never cross to the renderer: it gets ProviderView.
import { z } from 'zod'
import { ThinkingLevel } from './settings-schema'

export const ProviderKind = z.enum(['anthropic', 'openai', 'google', 'openai-compatible', 'demo'])
export type ProviderKind = z.infer<typeof ProviderKind>

/** A model as the person describes it: every field overrides the registry's. */
export const ModelOverride = z.looseObject({
  id: z.string().min(1),
  name: z.string().optional(),
  contextLimit: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  encoding: z.string().optional(),
  /** Ordered; each PROVIDER_ID:MODEL_ID (T-5). */
  fallbacks: z.array(z.string()).optional(),
  thinkingLevels: z.array(ThinkingLevel).optional(),
  /** US dollars per million tokens. */
  price: z
    .object({
      input: z.number().min(0),
      output: z.number().min(0),
      cacheRead: z.number().min(0).nullable().default(null),
      cacheWrite: z.number().min(0).nullable().default(null)
    })
    .optional(),
  vision: z.boolean().optional()
})
export type ModelOverride = z.infer<typeof ModelOverride>

export const ProviderEntry = z.looseObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'lower-case letters, digits, dot, dash or underscore'),
  kind: ProviderKind,
  name: z.string().optional(),
  /** As the SDK takes it, `/v1` included. */
  baseUrl: z.url().optional(),
  apiKey: z.string().optional(),
  apiKeyEnv: z.string().optional(),
  /** Names an entry of secrets.enc; only the desktop app can open it. */
  apiKeyRef: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z.array(ModelOverride).default([])
})
export type ProviderEntry = z.infer<typeof ProviderEntry>

export const ProvidersFile = z.looseObject({ providers: z.array(ProviderEntry).default([]) })
export type ProvidersFile = z.infer<typeof ProvidersFile>

/** What the renderer may know of a provider: where its key comes from, never the key, nor header values. */
export const ProviderView = z.object({
  id: z.string(),
  kind: ProviderKind,
  name: z.string(),
  baseUrl: z.string().nullable(),
  keySource: z.enum(['keychain', 'file', 'environment', 'none', 'not-needed']),
  /** The variable's name when the key comes from the environment. */
  keyEnv: z.string().nullable(),
  headerNames: z.array(z.string()),
  models: z.array(ModelOverride),
  /** Demo and providers found in the environment are not stored in providers.json. */
  builtIn: z.boolean()
})
export type ProviderView = z.infer<typeof ProviderView>
