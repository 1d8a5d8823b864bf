import type { LocalDatabase } from '../store/local-database.ts';

/** Which posts were chosen to see, under a name its customer gave it; this device has it, with or without network. */
export interface SavedFilter {
  name: string;
  /** As the address says it: `?sort=likes`. */
  search: string;
}

const KEY = 'saved-filters';

/** More than this would be a list to search. */
export const SAVED_FILTER_LIMIT = 20;
export const FILTER_NAME_LIMIT = 40;

export async function listSavedFilters(db: LocalDatabase): Promise<readonly SavedFilter[]> {
  return filtersIn(await db.meta.get(KEY));
}

/** False, and nothing saved, when there are as many as there may be. */
export async function saveFilter(db: LocalDatabase, filter: SavedFilter): Promise<boolean> {
  return change(db, (before) => withFilter(before, filter));
}

export async function removeSavedFilter(db: LocalDatabase, name: string): Promise<void> {
  await change(db, (before) => before.filter((kept) => kept.name !== name));
}

/** With one more, or with this one in place of the one of its name; undefined when it has no room. */
export function withFilter(
  before: readonly SavedFilter[],
  filter: SavedFilter,
): readonly SavedFilter[] | undefined {
  const nth = before.findIndex(({ name }) => name.toLowerCase() === filter.name.toLowerCase());
  if (nth !== -1) return before.with(nth, filter);
  return before.length < SAVED_FILTER_LIMIT ? [...before, filter] : undefined;
}

async function change(
  db: LocalDatabase,
  changed: (before: readonly SavedFilter[]) => readonly SavedFilter[] | undefined,
): Promise<boolean> {
  return db.transaction('rw', db.meta, async () => {
    const value = changed(filtersIn(await db.meta.get(KEY)));
    if (value) await db.meta.put({ key: KEY, value });
    return value !== undefined;
  });
}

function filtersIn(row: { value: unknown } | undefined): readonly SavedFilter[] {
  // Written by `change` only.
  return (row?.value as readonly SavedFilter[] | undefined) ?? [];
}
