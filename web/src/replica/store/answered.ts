import type { User } from '#shared/contract/people/user.ts';
import { type Scope, scopeKind, type ScopeKind, type Versions } from '#shared/contract/scope.ts';
import { isComplete } from './read-rows.ts';
import { areReached, findCursor, findScope, SHOWN_BY } from './scope-state.ts';
import type { StoreReader, StoreWriter } from './sync-store.ts';

/** The entities of a scope from which the customer is shown. */
export const SHOWN_FROM: Readonly<Record<ScopeKind, readonly string[]>> = {
  w: ['account'],
  b: ['wallet', 'transaction'],
  u: ['user'],
};

/**
 * Keeps the customer as the server answered, to be shown until the rows hold what the answer says; as an
 * accepted change is. One that the rows hold already, or that is older than the one kept, is left out.
 */
export async function keepAnswered(tx: StoreWriter, user: User): Promise<void> {
  const kept = await findAnswered(tx);
  if (kept && isBehind(user.versions, kept.versions)) return;
  if (!(await isHeld(tx, user.versions))) await tx.putMeta(SHOWN_BY.answered, user);
}

/** The same of a log-in, whose answer may leave accounts out: never in the place of accounts that are all here. */
export async function keepLogIn(tx: StoreWriter, user: User): Promise<void> {
  if (!(await isComplete(tx, 'account'))) await keepAnswered(tx, user);
}

/**
 * The customer as the server answered last; undefined once the rows hold it.
 * @param unkept an answer that is not kept, or not yet
 */
export async function findAnswered(store: StoreReader, unkept?: User): Promise<User | undefined> {
  const kept = (await store.getMeta(SHOWN_BY.answered)) as User | undefined;
  const isNewer = unkept && !(kept && isBehind(unkept.versions, kept.versions));
  const newest = isNewer ? unkept : kept;
  return newest && !(await isHeld(store, newest.versions)) ? newest : undefined;
}

/** In the transaction that moves a cursor, so that a screen never sees neither of the two. */
export async function dropHeldAnswer(tx: StoreWriter): Promise<void> {
  const kept = (await tx.getMeta(SHOWN_BY.answered)) as User | undefined;
  if (kept && (await isHeld(tx, kept.versions))) await dropAnswered(tx);
}

/** Its versions mean nothing any more. */
export const dropAnswered = (tx: StoreWriter): Promise<void> => tx.deleteMeta(SHOWN_BY.answered);

/** Whether `versions` are below `than` in any scope. */
export function isBehind(versions: Versions | undefined, than: Versions | undefined): boolean {
  const reached = new Map(Object.entries(versions ?? {}));
  return Object.entries(than ?? {}).some(([scope, at = 0]) => (reached.get(scope) ?? 0) < at);
}

const isHeld = (store: StoreReader, versions: Versions | undefined): Promise<boolean> =>
  areReached(versions ?? {}, (scope) => versionOf(store, scope as Scope));

/** The version at which a scope's rows are shown; while a first snapshot comes in, its own. */
async function versionOf(store: StoreReader, scope: Scope): Promise<number | undefined> {
  const cursor = await findCursor(store, scope);
  if (cursor !== undefined) return cursor;
  const state = await findScope(store, scope);
  if (!state?.loading || state.loading.generation !== state.generation) return undefined;
  const isWhole = SHOWN_FROM[scopeKind(scope)].every((entity) => state.complete.includes(entity));
  return isWhole ? (state.loading.v ?? undefined) : undefined;
}
