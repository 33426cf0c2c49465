// Owns the sentence that a person reads about a provider's failure: what happened, to what, what to do.
// Quotes the server only after redaction, and never where its text is about a key.
import { lengthsIn } from './context-exceeded'
import type { ErrorFacts } from './error-facts'
import type { FailureCause, FailureSubject } from './failure-cause'
import { redact } from './redact'

/** A longer quote is a page, not a reason. */
const MAX_QUOTE_CHARS = 240

/** One sentence for a person. Holds no key. */
export function failureMessageOf(
  cause: FailureCause,
  facts: ErrorFacts,
  subject: FailureSubject,
  retryAfterMs: number | null
): string {
  const { providerName: provider, modelRef: model } = subject
  switch (cause.kind) {
    case 'auth':
      return facts.status === 403
        ? `${provider} does not let this key use ${model} (403): check what the key may do in the provider's console, or use another model.`
        : `${provider} refused the key${statusOf(facts)}: check the key of this provider in the settings.`
    case 'rate_limit':
      if (cause.quotaUsedUp)
        return `${provider} says that the quota of this account is used up: check its plan and billing, or use another provider.`
      return `${provider} limits how much ${model} may be asked${waitOf(retryAfterMs)}: wait and send again, or use another model.`
    case 'overloaded':
      return `${provider} is overloaded and cannot run ${model} now${waitOf(retryAfterMs)}: send again in a moment, or use another model.`
    case 'network':
      return networkMessageOf(cause.fault, facts, provider)
    case 'context_exceeded':
      return `The request is too long for ${model}${lengthsOf(facts)}: shorten it, start a fresh window, or use a model with a larger limit.`
    case 'content_filter':
      return `The content filter of ${provider} stopped ${model}${quoteOf(facts, subject)}: rephrase the message or use another model.`
    case 'malformed_stream':
      return `The answer of ${model} broke off or could not be read: send again, and check the address of ${provider} if it goes on.`
    case 'provider':
      return providerMessageOf(cause.fault, facts, subject)
  }
}

function networkMessageOf(
  fault: (FailureCause & { kind: 'network' })['fault'],
  facts: ErrorFacts,
  provider: string
): string {
  const at = facts.host === null ? 'its address' : facts.host
  switch (fault) {
    case 'refused':
      return `${provider} does not answer at ${at}: start its server or check the address in the settings.`
    case 'not-found':
      return `The address of ${provider} (${at}) was not found: check the network and the address in the settings.`
    case 'certificate':
      return `The certificate of ${at} was not accepted, so nothing was sent to ${provider}: check the address, proxy or certificate authorities.`
    case 'stalled':
      return `${provider} sent nothing for ${Math.round((facts.stallMs ?? 0) / 1_000)} s and the request was given up: check the network and send again.`
    case 'broken-off':
      return `The connection to ${provider} broke off: check the network and send again.`
  }
}

function providerMessageOf(
  fault: (FailureCause & { kind: 'provider' })['fault'],
  facts: ErrorFacts,
  subject: FailureSubject
): string {
  const { providerName: provider, modelRef: model } = subject
  switch (fault) {
    case 'server':
      return `${provider} failed on its side${statusOf(facts)}${quoteOf(facts, subject)}: send again in a moment, or use another model.`
    case 'not-found':
      return `${provider} does not know ${model} at ${facts.host ?? 'its address'}${quoteOf(facts, subject)}: check the model's name and the provider's address (with /v1).`
    case 'no-credit':
      return `${provider} says that this account has no credit left: add credit, or use another provider.`
    case 'request':
      return `${provider} did not accept the request to ${model}${statusOf(facts)}${quoteOf(facts, subject)}: check the model's settings, or use another model.`
  }
}

function statusOf(facts: ErrorFacts): string {
  return facts.status !== null && facts.status >= 400 ? ` (${facts.status})` : ''
}

function waitOf(retryAfterMs: number | null): string {
  if (retryAfterMs === null || retryAfterMs < 1_000) return ''
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return ` and asks to wait ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}`
}

function lengthsOf(facts: ErrorFacts): string {
  const lengths = lengthsIn(facts.text)
  return lengths === null ? '' : ` (${grouped(lengths.tokens)} tokens, limit ${grouped(lengths.limit)})`
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ')
}

function quoteOf(facts: ErrorFacts, subject: FailureSubject): string {
  if (facts.quote === null) return ''
  const line = redact(facts.quote, subject.secrets)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.!:]+$/, '')
  if (line === '' || line.startsWith('<')) return ''
  return ` (“${line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line}”)`
}
