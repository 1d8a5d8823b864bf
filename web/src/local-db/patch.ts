import type { Row } from './chunk.ts';

/** What an outbox item changes for the eye at once; the rows from the server stay untouched. */
export interface Patch {
  /** The outbox item it belongs to. */
  itemId: string;
  entity: string;
  id: string;
  change:
    /** A row the server will make; ignored as soon as it did. */
    | { kind: 'insert'; row: Row }
    /** Fields with their new values. */
    | { kind: 'set'; fields: Row }
    /** Number fields with what is added to them; what is taken away takes none below 0. */
    | { kind: 'add'; fields: Record<string, number> };
}

/** A row as it will be when the server has accepted what is pending. */
export function patched(base: Row | undefined, patches: readonly Patch[]): Row | undefined {
  return patches.reduce<Row | undefined>((row, { change }) => {
    if (change.kind === 'insert') return row ?? change.row;
    if (!row) return row;
    return { ...row, ...(change.kind === 'set' ? change.fields : added(row, change.fields)) };
  }, base);
}

function added(row: Row, fields: Record<string, number>): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, amount]) => {
      const before = row[name];
      if (typeof before !== 'number') return [name, before];
      return [name, Math.max(before + amount, Math.min(before, 0))];
    }),
  );
}
