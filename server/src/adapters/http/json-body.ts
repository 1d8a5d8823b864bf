/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object a body spells, or undefined when it is cut short, a web page, or any other kind of value. */
export function parseJsonObject(body: Buffer): JsonObject | undefined {
  try {
    return asObject(JSON.parse(body.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The value as an object, or undefined. Arrays and null are none. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
