/** A column that may be empty. */
export const textOr = <Preset>(value: unknown, preset: Preset): string | Preset =>
  typeof value === 'string' ? value : preset;

/** Seconds since 1970, as the gateway counts, of an instant or a column in milliseconds. */
export const secondsOf = (value: unknown): number => Math.floor(Number(value) / 1000);

export const metadataOf = (row: Record<string, unknown>): Record<string, string> =>
  JSON.parse(String(row['metadata'])) as Record<string, string>;
