// Owns the ways to add a provider: what the *Add* menu offers, with addresses that are right as they stand.
import { KNOWN_ENDPOINTS } from '@common/settings/provider-defaults'
import type { ProviderTemplate } from './provider-form'

const own = { baseUrl: '', apiKeyEnv: '' }
const compatible = { kind: 'openai-compatible' as const, apiKeyEnv: '' }

export const PROVIDER_TEMPLATES: readonly ProviderTemplate[] = [
  { ...own, label: 'Anthropic', hint: '', kind: 'anthropic', id: 'anthropic' },
  { ...own, label: 'OpenAI', hint: '', kind: 'openai', id: 'openai' },
  { ...own, label: 'Google', hint: '', kind: 'google', id: 'google' },
  ...KNOWN_ENDPOINTS.map(({ id, name, baseUrl }): ProviderTemplate => ({
    ...compatible,
    label: name,
    hint: '',
    id,
    baseUrl
  })),
  { ...compatible, label: 'Ollama', hint: 'this machine', id: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { ...compatible, label: 'LM Studio', hint: 'this machine', id: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { ...compatible, label: 'llama.cpp', hint: 'this machine', id: 'llama-cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { ...compatible, label: 'vLLM', hint: 'this machine', id: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
  { ...compatible, label: 'Other endpoint', hint: 'OpenAI-compatible', id: 'custom', baseUrl: '' }
]
