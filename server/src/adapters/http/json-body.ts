/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object a body spells, or undefined when it is cut short, a web page, or any other kind of value. */
export function parseJsonObject(body: Buffer): JsonObject | undefined {
  return asObject(parseJson(body.toString('utf8')));
}

/** What a text spells as JSON, or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
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
