/** Values of the code itself as a list in SQL text. Nothing is escaped: what comes from outside is a parameter. */
export const textList = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(', ');
