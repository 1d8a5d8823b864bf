import { figure } from '../words/figures.ts';

/** The chosen rows, by their ids: some, or all that match but for some. */
export type GridSelection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const NONE_SELECTED: GridSelection = { kind: 'some', ids: new Set() };
export const ALL_SELECTED: GridSelection = { kind: 'all', except: new Set() };

/** `id` is of a row that matches. */
export const isSelected = (selection: GridSelection, id: string): boolean =>
  selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id);

/** With these rows chosen, or not. */
export function withRows(
  selection: GridSelection,
  ids: Iterable<string>,
  areChosen: boolean,
): GridSelection {
  const isListed = (selection.kind === 'some') === areChosen;
  const listed = new Set(selection.kind === 'some' ? selection.ids : selection.except);
  for (const id of ids) {
    if (isListed) listed.add(id);
    else listed.delete(id);
  }
  return selection.kind === 'some'
    ? { kind: 'some', ids: listed }
    : { kind: 'all', except: listed };
}

export const toggled = (selection: GridSelection, id: string): GridSelection =>
  withRows(selection, [id], !isSelected(selection, id));

/** How many are chosen; `matching` have an id. */
export interface SelectionCount {
  chosen: number;
  /** Of them, those that the list doesn’t show at the moment. */
  hidden: number;
}

/** @param isKnown whether there is still a row of this id @param isShown whether it matches */
export function countSelected(
  selection: GridSelection,
  matching: number,
  { isKnown, isShown }: { isKnown: (id: string) => boolean; isShown: (id: string) => boolean },
): SelectionCount {
  if (selection.kind === 'all') {
    return { chosen: matching - [...selection.except].filter(isShown).length, hidden: 0 };
  }
  const known = [...selection.ids].filter(isKnown);
  return { chosen: known.length, hidden: known.filter((id) => !isShown(id)).length };
}

/** The same rows one by one: what matches is about to be something else. */
export function asRows(selection: GridSelection, matching: () => Iterable<string>): GridSelection {
  if (selection.kind === 'some') return selection;
  const ids = new Set<string>();
  for (const id of matching()) if (!selection.except.has(id)) ids.add(id);
  return { kind: 'some', ids };
}

/** "all 3,412 that match, without 3"; "204 selected, 4 of them not in this list". */
export function selectionInWords(
  selection: GridSelection,
  matching: number,
  { chosen, hidden }: SelectionCount,
): string {
  if (selection.kind === 'all') {
    const without = matching - chosen;
    return `All ${figure(matching)} that match${without > 0 ? `, without ${figure(without)}` : ''}`;
  }
  return `${figure(chosen)} selected${hidden > 0 ? `, ${figure(hidden)} of them not in this list` : ''}`;
}
