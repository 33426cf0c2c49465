// Owns values that are made from other values: one is found again, as the very same object, while what it was made from
// is the same, by identity. Sound only for what is never changed in place. Holds nothing alive: it goes with its key.

export class ValueCache<Value> {
  readonly #made = new WeakMap<object, { readonly from: readonly unknown[]; readonly value: Value }>()

  /** The value last kept under `key`, when it was made from just these; else undefined. */
  find(key: object, from: readonly unknown[]): Value | undefined {
    const known = this.#made.get(key)
    if (known === undefined || known.from.length !== from.length) return undefined
    return known.from.every((each, index) => Object.is(each, from[index])) ? known.value : undefined
  }

  /** Keeps a value, in place of the last one under this key. `from` names all that it was made from, in order. */
  keep(key: object, from: readonly unknown[], value: Value): Value {
    this.#made.set(key, { from, value })
    return value
  }

  /** The value made from these before, or made now. */
  findOrMake(key: object, from: readonly unknown[], make: () => Value): Value {
    return this.find(key, from) ?? this.keep(key, from, make())
  }
}
