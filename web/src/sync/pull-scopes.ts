import type { Cursor, PullAnswer } from '#shared/sync/pull.ts';
import { type Scope, type ScopeKind, scopeKind } from '#shared/sync/scope.ts';
import { getClient } from '../local-db/begin-sending.ts';
import { dropSettled } from '../local-db/keep-results.ts';
import { dropAccepted } from '../local-db/outbox.ts';
import {
  deleteCursor,
  deleteScope,
  findScope,
  listCursors,
  listScopes,
} from '../local-db/scope-state.ts';
import type { StoreWriter } from '../local-db/sync-store.ts';
import { applyWireRows, moveCursor } from './apply-changes.ts';
import { loadPreview } from './load-preview.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { DONE, type Held, type SyncWork, type Worked } from './sync-work.ts';

const EPOCH = 'epoch';
const AS_OF = 'as-of';
const SESSION = 'session';

/** Who somebody is says which account is shown first, and so what of the workspace is read first. */
const READ_FIRST: ReadonlyArray<readonly ScopeKind[]> = [['u'], ['b', 'w']];

/** The server's time up to which the copy is known to be whole, milliseconds; undefined: never was. */
export async function findAsOf(tx: {
  getMeta(key: string): Promise<unknown>;
}): Promise<number | undefined> {
  return (await tx.getMeta(AS_OF)) as number | undefined;
}

export const keepAsOf = (tx: StoreWriter, atMs: number): Promise<void> => tx.putMeta(AS_OF, atMs);

/**
 * Pulls until every scope is at the version the server had. Pages are applied as they come; the
 * cursor moves with the last of them, so a crash between two only reads them again. `held`: all but
 * what was read anew a short while ago; the copy is then not whole.
 */
export async function pullScopes(work: SyncWork, signal: AbortSignal): Promise<Worked | Held> {
  const next = new Map<string, string>();
  /** How long these can't be read anew. */
  const held = new Map<string, number>();
  for (;;) {
    const request = await work.store.write(async (tx) => ({
      epoch: ((await tx.getMeta(EPOCH)) ?? null) as string | null,
      clientId: (await getClient(tx, work.newId)).clientId,
      cursors: cursorsOf(await listCursors(tx), next),
    }));
    const pulled = await work.network.pull(request, signal);
    if (pulled.kind !== 'ok') return pulled;
    const answer = pulled.value;
    if (await work.store.write((tx) => takeAnswer(tx, answer))) {
      next.clear();
      continue;
    }
    await applyPages(work, answer, next);
    for (const scope of answer.drop) next.delete(scope);
    const snapshots = (await scopesToRead(work, answer)).filter((scope) => !held.has(scope));
    for (const kinds of READ_FIRST) {
      const scopes = kinds.flatMap((kind) => snapshots.filter((each) => scopeKind(each) === kind));
      for (const scope of scopes) await loadPreview(work, scope, answer.epoch, signal);
      for (const scope of scopes) {
        const loaded = await loadSnapshot(work, scope, answer.epoch, signal);
        if (loaded.kind === 'held') {
          held.set(scope, loaded.forMs);
          await work.store.write((tx) => deleteCursor(tx, scope));
        } else if (loaded.kind !== 'done') return loaded;
      }
    }
    if (next.size > 0 || snapshots.length > 0) continue;
    if (held.size > 0) return { kind: 'held', forMs: Math.min(...held.values()) };
    await work.store.write((tx) => keepAsOf(tx, Date.parse(answer.at)));
    return DONE;
  }
}

/** The scopes whose cursor is no use, and those of which a reading anew broke off. */
async function scopesToRead(
  { store }: SyncWork,
  { new: unread, resync }: PullAnswer,
): Promise<Scope[]> {
  const states = await store.read(listScopes);
  const begun = states.filter(({ loading }) => loading).map(({ scope }) => scope as Scope);
  return [...new Set([...unread, ...resync, ...begun])];
}

function cursorsOf(
  durable: Record<string, number>,
  next: ReadonlyMap<string, string>,
): Record<Scope, Cursor> {
  return Object.fromEntries(
    Object.entries(durable).map(([scope, v]) => {
      const page = next.get(scope);
      return [scope, page === undefined ? { v } : { v, next: page }];
    }),
  );
}

/** What an answer says besides its pages; true when another database answers, and all is asked again. */
async function takeAnswer(tx: StoreWriter, answer: PullAnswer): Promise<boolean> {
  if (await isOtherEpoch(tx, answer)) return true;
  await tx.putMeta(SESSION, { sessionId: answer.sessionId, userId: answer.userId });
  for (const scope of answer.drop) await dropScope(tx, scope);
  await dropLost(tx, answer);
  return false;
}

/** A scope that was lost before its first reading had ended has no cursor the server could answer to. */
async function dropLost(tx: StoreWriter, answer: PullAnswer): Promise<void> {
  const cursors = await listCursors(tx);
  for (const { scope } of await listScopes(tx)) {
    const isOurs = cursors[scope] !== undefined || answer.new.includes(scope as Scope);
    if (!isOurs) await dropScope(tx, scope);
  }
}

/**
 * Another database answers (a restored one): every cursor is void, in the same transaction in which
 * the new epoch is kept. A cursor of the old one must never be sent with the new epoch.
 */
async function isOtherEpoch(tx: StoreWriter, answer: PullAnswer): Promise<boolean> {
  const before = await tx.getMeta(EPOCH);
  if (before === answer.epoch) return false;
  await tx.putMeta(EPOCH, answer.epoch);
  for (const scope of Object.keys(await listCursors(tx))) await deleteCursor(tx, scope);
  await dropAccepted(tx);
  // The very first answer brings an epoch too: nothing was held, and nothing is asked again.
  return before !== undefined;
}

async function applyPages(
  { store }: SyncWork,
  answer: PullAnswer,
  next: Map<string, string>,
): Promise<void> {
  for (const [scope, page] of Object.entries(answer.scopes)) {
    if (!page) continue;
    await store.write(async (tx) => {
      const state = await findScope(tx, scope);
      if (!state) return;
      await applyWireRows(tx, state, page.rows);
      if (page.next === null) await moveCursor(tx, scope, page.to);
    });
    if (page.next === null) next.delete(scope);
    else next.set(scope, page.next);
  }
}

/** The scope is no longer the session's. */
export async function dropScope(tx: StoreWriter, scope: string): Promise<void> {
  await deleteScope(tx, scope);
  await dropSettled(tx);
}
