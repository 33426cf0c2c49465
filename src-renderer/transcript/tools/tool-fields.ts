// Owns reading fields out of a tool's input or output as it was stored: nothing about its shape is taken for granted.

/** A text field, or null when there is none. */
export function textField(value: unknown, name: string): string | null {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : null
}

/** A number field, or null when there is none. */
export function numberField(value: unknown, name: string): number | null {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : null
}

/** A list field; empty when there is none. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

/** A field of an object, or undefined. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
