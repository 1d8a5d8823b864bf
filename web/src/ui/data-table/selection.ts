/** What was chosen of a list, by ids. */
export type Selection = ReadonlySet<string>;

export const NOTHING_SELECTED: Selection = new Set();

export function toggleRow(selection: Selection, id: string): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Chooses everything between two rows, both included, beside what was chosen before. */
export function selectRange(
  selection: Selection,
  ids: readonly string[],
  from: number,
  to: number,
): Selection {
  const [first, last] = from < to ? [from, to] : [to, from];
  return new Set([...selection, ...ids.slice(first, last + 1)]);
}
