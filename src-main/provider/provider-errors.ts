// Owns the classification of provider errors (T-4): one pure function from whatever was thrown to a ProviderFailure.
// The body speaks before the status: the SDK reports an error event at the head of a stream as 500 or 529,
// whatever it says. Which failures may be retried is decided here and nowhere else.
import type { ProviderFailure } from '@common/models/provider-failure'
import { saysTooLong } from './context-exceeded'
import { errorFactsOf, type ErrorFacts } from './error-facts'
import type { FailureCause, FailureSubject } from './failure-cause'
import { failureMessageOf } from './failure-message'
import { ProviderFailureError } from './provider-failure-error'
import { retryAfterMsOf } from './retry-after'

/** Names a failure and says what to do. Pure; takes anything that was thrown or streamed as an error. */
export function classifyProviderError(error: unknown, subject: FailureSubject): ProviderFailure {
  if (error instanceof ProviderFailureError) return error.failure
  const facts = errorFactsOf(error)
  const cause = causeOf(facts)
  const retryAfterMs = retryAfterMsOf(facts.headers, facts.text, subject.nowMs ?? null)
  return {
    kind: cause.kind,
    message: failureMessageOf(cause, facts, subject, retryAfterMs),
    statusCode: isAnswered(facts) ? facts.status : null,
    retryAfterMs,
    retryable: isRetryable(cause)
  }
}

/**
 * The failure that a finished answer stands for, or null when it is an answer. `content-filter` is the
 * refusal of a provider; `error` is its word that the answer failed. Reasons as in the SDK's finish part.
 */
export function failureOfFinish(
  finishReason: string,
  rawFinishReason: string | undefined,
  subject: FailureSubject
): ProviderFailure | null {
  if (finishReason === 'content-filter')
    return classifyProviderError({ type: 'content_filter', message: rawFinishReason ?? '' }, subject)
  if (finishReason !== 'error') return null
  return classifyProviderError({ name: 'FailedAnswerError', message: rawFinishReason ?? '' }, subject)
}

function causeOf(facts: ErrorFacts): FailureCause {
  const { status, words, text, names } = facts
  if (facts.stallMs !== null) return { kind: 'network', fault: 'stalled' }
  if (isQuota(words, text)) return { kind: 'rate_limit', quotaUsedUp: true }
  if (status === 413 || (status !== 401 && status !== 403 && saysTooLong(`${words} ${text}`)))
    return { kind: 'context_exceeded' }
  if (isRefusal(words, text)) return { kind: 'content_filter' }
  if (isAuth(status, words, text, names)) return { kind: 'auth' }
  if (status === 402 || /credit balance is too low|insufficient balance|insufficient credits/i.test(text))
    return { kind: 'provider', fault: 'no-credit' }
  if (isRateLimit(status, words, text)) return { kind: 'rate_limit', quotaUsedUp: false }
  if (isOverloaded(status, words, text)) return { kind: 'overloaded' }
  if (status === 404 || /not_found/.test(words)) return { kind: 'provider', fault: 'not-found' }
  const network = networkFaultOf(facts)
  if (network !== null) return { kind: 'network', fault: network }
  if (isMalformed(facts)) return { kind: 'malformed_stream' }
  if (isServerFault(status, words)) return { kind: 'provider', fault: 'server' }
  return { kind: 'provider', fault: 'request' }
}

function isQuota(words: string, text: string): boolean {
  return (
    /insufficient_quota|billing_hard_limit|quota_exceeded_billing/.test(words) ||
    (/exceeded your current quota, please check your plan and billing/i.test(text) && !/retryDelay/.test(text))
  )
}

function isRefusal(words: string, text: string): boolean {
  return (
    /content_filter|content_policy|invalid_prompt|cyber_policy|responsibleai|moderation|safety_violation/.test(words) ||
    /content (?:filtering|management) policy|potentially violating our usage policy|flagged (?:by moderation|as potentially|for )|input was flagged/i.test(
      text
    )
  )
}

function isAuth(status: number | null, words: string, text: string, names: readonly string[]): boolean {
  return (
    status === 401 ||
    status === 403 ||
    /authentication_error|permission_error|invalid_api_key|api_key_invalid|unauthenticated|permission_denied/.test(
      words
    ) ||
    names.includes('AI_LoadAPIKeyError') ||
    /api key not valid|api key expired|incorrect api key/i.test(text)
  )
}

function isRateLimit(status: number | null, words: string, text: string): boolean {
  return (
    status === 429 ||
    /rate_limit|resource_exhausted|too_many_requests|throttling/.test(words) ||
    /rate limit (?:reached|exceeded)/i.test(text)
  )
}

function isOverloaded(status: number | null, words: string, text: string): boolean {
  return (
    status === 529 ||
    status === 503 ||
    /overloaded|unavailable|slow_down|server_is_busy/.test(words) ||
    /\boverloaded\b|server (?:is )?busy|loading model|no capacity|currently experiencing high demand/i.test(text)
  )
}

function networkFaultOf(facts: ErrorFacts): 'refused' | 'not-found' | 'certificate' | 'broken-off' | null {
  const codes = facts.networkCodes.join(' ')
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(codes)) return 'refused'
  if (/ENOTFOUND|EAI_AGAIN|ENOENT/.test(codes)) return 'not-found'
  if (/CERT|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO|ERR_TLS|ERR_SSL/.test(codes)) return 'certificate'
  if (codes !== '' && !/ERR_(?:INVALID|UNSUPPORTED)/.test(codes)) return 'broken-off'
  if (facts.status === 408 || /^(?:timeout|request_timeout)$/.test(facts.words)) return 'broken-off'
  return /^terminated$|fetch failed|socket hang up|other side closed|network error|connection error/im.test(facts.text)
    ? 'broken-off'
    : null
}

function isMalformed(facts: ErrorFacts): boolean {
  return (
    facts.names.some((name) =>
      /JSONParseError|TypeValidationError|InvalidResponseData|EmptyResponseBody|MalformedStreamError|NoOutputGenerated|InvalidStreamPart/.test(
        name
      )
    ) ||
    // An error part at the head of a stream comes back as text inside of the SDK's own error.
    /"name":"AI_(?:JSONParse|TypeValidation|InvalidResponseData)/.test(facts.text) ||
    /malformed_function_call/i.test(facts.text) ||
    (facts.status !== null && facts.status < 300)
  )
}

function isServerFault(status: number | null, words: string): boolean {
  return (
    (status !== null && status >= 500) ||
    /\b(?:api_error|server_error|internal|internal_server_error|internal_error)\b/.test(words)
  )
}

/** Did a server answer with that status? The SDK's own 200 around a broken body is not an error status. */
function isAnswered(facts: ErrorFacts): boolean {
  return facts.status !== null && facts.status >= 400
}

/** 429, 5xx, 529 and network faults (T-4); never what a second try cannot change. */
function isRetryable(cause: FailureCause): boolean {
  switch (cause.kind) {
    case 'rate_limit':
      return !cause.quotaUsedUp
    case 'overloaded':
      return true
    case 'network':
      return cause.fault !== 'certificate'
    case 'provider':
      return cause.fault === 'server'
    case 'auth':
    case 'context_exceeded':
    case 'content_filter':
    case 'malformed_stream':
      return false
  }
}
