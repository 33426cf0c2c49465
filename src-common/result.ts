// Owns the result type: an expected failure is a value, a bug throws.

export interface Ok<T> {
  readonly ok: true
  readonly value: T
}

export interface Err<E> {
  readonly ok: false
  readonly error: E
}

/** The outcome of something that may fail in an expected way; narrow on `ok`. */
export type Result<T, E> = Ok<T> | Err<E>

/** Wraps a value as a success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value }
}

/** Wraps an error as an expected failure. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error }
}
