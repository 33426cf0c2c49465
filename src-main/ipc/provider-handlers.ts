// Owns the requests about providers, models and agents. Keys come in and never go out.
import { ok, err } from '@common/result'
import type { ProviderInput } from '@common/contract/requests'
import { loadAgents } from '../agents/agent-loader'
import { detectProviders } from '../provider/detect-providers'
import { testProvider } from '../provider/test-provider'
import type { AppServices } from './app-services'
import { failure } from './dispatch'
import type { Handlers } from './dispatch'

type ProviderRequests =
  | 'providers.list'
  | 'providers.save'
  | 'providers.remove'
  | 'providers.test'
  | 'providers.detect'
  | 'models.list'
  | 'agents.list'

export function providerHandlers(services: AppServices): Pick<Handlers, ProviderRequests> {
  const { providers, settings } = services
  const tell = (): void => services.publish({ channel: 'app', events: [{ type: 'providers-changed' }] })

  return {
    async 'providers.list'() {
      providers.refresh()
      return ok({ providers: providers.views(), keychain: providers.keychain() })
    },
    async 'providers.save'({ provider }) {
      const { apiKey, ...edit } = provider satisfies ProviderInput
      const saved = await providers.save(edit, apiKey === undefined ? {} : { apiKey })
      if (!saved.ok) return err(failure(saved.error.kind === 'invalid' ? 'invalid-input' : 'io', saved.error.message))
      tell()
      return ok({ provider: saved.value.view })
    },
    async 'providers.remove'({ providerId }) {
      const removed = await providers.remove(providerId)
      if (!removed.ok) return err(failure('io', removed.error.message))
      tell()
      return ok({})
    },
    async 'providers.test'({ providerId, modelId }) {
      const first = (await services.listModels()).find((model) => model.providerId === providerId)
      const chosen = modelId ?? first?.modelId
      if (chosen === undefined) {
        return ok({
          works: false,
          message: `No model of ${providerId} is known; add one to this provider, then test again.`
        })
      }
      return ok(await testProvider(services.registry, `${providerId}:${chosen}`))
    },
    async 'providers.detect'() {
      return ok({
        suggestions: await detectProviders({ environment: services.environment, stored: providers.stored() })
      })
    },
    async 'models.list'() {
      return ok({ models: await services.listModels() })
    },
    async 'agents.list'({ projectId }) {
      const project = settings.settings().projects.find(({ id }) => id === projectId)
      const { agents, problems } = await loadAgents({
        homeDir: services.paths.agents,
        projectDir: project?.path ?? null,
        projectTrusted: project?.trusted === true,
        workspaceId: ''
      })
      return ok({
        agents: agents.map(({ id, name, description, source, model }) => ({ id, name, description, source, model })),
        problems: [...problems]
      })
    }
  }
}
