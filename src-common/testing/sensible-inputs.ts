// Owns one sensible input for each request, for tests that change it: a new request does not compile without one.
import type { RequestInput, RequestName } from '../contract/requests'

const sha256 = 'ab'.repeat(32)

export function sensibleInputs(workspaceId: string): { readonly [Name in RequestName]: RequestInput<Name> } {
  return {
    'app.start': {},
    'project.pick': {},
    'project.open': { path: '/home/me/project' },
    'project.trust': { projectId: 'p-1', trusted: true },
    'project.remove': { projectId: 'p-1' },
    'project.offers': { projectId: 'p-1' },
    'files.search': { workspaceId, query: '' },
    'workspace.list': { archived: false },
    'workspace.create': { projectId: 'p-1', model: 'demo:tide-1' },
    'workspace.open': { workspaceId },
    'workspace.close': { workspaceId },
    'workspace.page': { workspaceId, before: 'w:0@1024' },
    'workspace.update': { workspaceId, title: 'A title', archived: true, approvalMode: 'accept-edits' },
    'workspace.delete': { workspaceId },
    'workspace.export': { workspaceId, format: 'markdown' },
    'draft.save': { workspaceId, text: '' },
    'turn.send': {
      workspaceId,
      text: 'hello',
      attachments: [{ sha256, mediaType: 'image/png', filename: 'a.png', bytes: 9 }],
      mode: 'tool-end',
      experiments: { tokenBudget: true }
    },
    'turn.interrupt': { workspaceId },
    'turn.retry': { workspaceId },
    'queue.edit': { workspaceId, entryId: 'e', text: 'better', mode: 'turn-end' },
    'queue.remove': { workspaceId, entryId: 'e' },
    'queue.move': { workspaceId, entryId: 'e', toIndex: 0 },
    'queue.send': { workspaceId, entryId: 'e' },
    'approval.answer': { workspaceId, approvalId: 'a', answer: { decision: 'deny', message: null } },
    'question.answer': { workspaceId, questionId: 'q', answer: null },
    'row.raw': { workspaceId, rowId: 'r' },
    'attachment.add': { workspaceId, filename: 'a.png', mediaType: 'image/png', bytes: new Uint8Array([1, 2]) },
    'attachment.read': { workspaceId, sha256 },
    'spill.read': { workspaceId, spillId: 's', offset: 0 },
    'memory.list': { workspaceId },
    'memory.read': { workspaceId, path: '/memories/project/testing.md' },
    'memory.write': { workspaceId, path: '/memories/project/testing.md', text: '', version: null },
    'memory.delete': { workspaceId, path: '/memories/project/testing.md' },
    'memory.pin': { workspaceId, path: '/memories/project/testing.md', pinned: true },
    'settings.set': { path: 'theme', value: 'dark' },
    'providers.list': {},
    'providers.save': { provider: { id: 'anthropic', kind: 'anthropic' } },
    'providers.remove': { providerId: 'anthropic' },
    'providers.test': { providerId: 'anthropic' },
    'providers.detect': {},
    'models.list': {},
    'agents.list': { projectId: null },
    'shell.open-link': { url: 'https://example.org' },
    'shell.reveal': { workspaceId, path: 'src/a.ts' },
    'shell.painted': { sinceStartMs: 812.5 }
  }
}
