// Owns the worlds of the stories about the token budget.
import type { ContextSections } from '@common/contract/context-views'
import { defaultSettings, type Settings } from '@common/settings/settings-schema'
import type { FakeWorld, SessionSeed } from '../../src-renderer/testing/fake-world'
import { openWorld, USAGE } from './worlds'

export const MODEL = 'anthropic:claude-sonnet-4-5'
/** With the experiment on. */
export const settings = (changes: Partial<Settings> = {}): Settings => ({
  ...defaultSettings(),
  experiments: { tokenBudget: true },
  ...changes
})
const SECTIONS: ContextSections = {
  windowId: 'w:0',
  model: MODEL,
  sections: {
    system: 1_840,
    memories: 612,
    notes: 1_204,
    tools: 5_310,
    messages: 38_204,
    toolResults: 84_120,
    files: 1_024
  },
  tokens: 132_314,
  estimated: true,
  outputReserve: 8_192
}

/** An open conversation whose window holds something of everything. */
export function world(snapshot: SessionSeed['snapshot'] = {}, changes: Partial<FakeWorld> = {}) {
  return () => openWorld(snapshot, { settings: settings(), sections: { 'ws-1': SECTIONS }, ...changes })
}
/** The same with so many tokens in the window. */
export const at = (contextTokens: number, changes: Partial<FakeWorld> = {}, snapshot: SessionSeed['snapshot'] = {}) =>
  world({ usage: { ...USAGE, contextTokens }, ...snapshot }, changes)
