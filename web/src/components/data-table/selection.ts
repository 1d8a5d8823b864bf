/** The chosen rows of a table, by their ids. */
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

/** All of the rows shown are chosen; or, when they are already, none of them. */
export function toggleAll(selection: Selection, ids: readonly string[]): Selection {
  const isAll = ids.every((id) => selection.has(id));
  if (!isAll) return new Set([...selection, ...ids]);
  const next = new Set(selection);
  for (const id of ids) next.delete(id);
  return next;
}

/** The choice as a table shows and changes it. */
export interface RowSelection {
  selected: Selection;
  change: (selected: Selection) => void;
}
