import type { Cursor, PullAnswer } from '#shared/sync/pull.ts';
import { type Scope, type ScopeKind, scopeKind } from '#shared/contract/scope.ts';
import { getClient } from '../outbox/push-outbox.ts';
import { dropAnswered, dropHeldAnswer } from '../store/answered.ts';
import { dropSettled } from '../outbox/keep-results.ts';
import { dropAccepted } from '../outbox/outbox.ts';
import { countLost } from '../store/lost-accounts.ts';
import {
  deleteCursor,
  deleteScope,
  findCursor,
  findScope,
  keepAsOf,
  keepHeard,
  putSession,
  listCursors,
  listScopes,
  putCursor,
  type ScopeState,
  findEpoch,
  keepEpoch,
} from '../store/scope-state.ts';
import type { StoreWriter } from '../store/sync-store.ts';
import { loadPreview } from './load-preview.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { DONE, type Blocked, type SyncWork, type Worked } from '../network/sync-network.ts';
import type { WireRow } from '#shared/sync/row.ts';
import { applyRows, type RowChange } from '../store/apply-rows.ts';

/** Who somebody is says which account is shown first, and so what of the workspace is read first. */
const READ_FIRST: ReadonlyArray<readonly ScopeKind[]> = [['u'], ['b', 'w']];

/**
 * Pulls until every scope is at the version the server had. Pages are applied as they come; the
 * cursor moves with the last of them, so a crash between two only reads them again. `blocked`: all but
 * what was read anew a short while ago; the replica is then not whole.
 */
export async function pullScopes(work: SyncWork, signal: AbortSignal): Promise<Worked | Blocked> {
  const next = new Map<string, string>();
  /** How long these can't be read anew. */
  const blocked = new Map<string, number>();
  for (;;) {
    const request = await work.store.write(async (tx) => ({
      epoch: (await findEpoch(tx)) ?? null,
      clientId: (await getClient(tx, work.newId)).clientId,
      cursors: cursorsOf(await listCursors(tx), next),
    }));
    const pulled = await work.network.pull(request, signal);
    if (pulled.kind !== 'ok') return pulled;
    const answer = pulled.value;
    if (await work.store.write((tx) => takeAnswer(tx, answer, work.now()))) {
      next.clear();
      continue;
    }
    await applyPages(work, answer, next);
    for (const scope of answer.drop) next.delete(scope);
    const snapshots = (await scopesToRead(work, answer)).filter((scope) => !blocked.has(scope));
    for (const kinds of READ_FIRST) {
      const scopes = kinds.flatMap((kind) => snapshots.filter((each) => scopeKind(each) === kind));
      for (const scope of scopes) await loadPreview(work, scope, answer.epoch, signal);
      for (const scope of scopes) {
        const loaded = await loadSnapshot(work, scope, answer.epoch, signal);
        if (loaded.kind === 'blocked') {
          blocked.set(scope, loaded.forMs);
          await work.store.write((tx) => deleteCursor(tx, scope));
        } else if (loaded.kind !== 'done') return loaded;
      }
    }
    if (next.size > 0 || snapshots.length > 0) continue;
    if (blocked.size > 0) return { kind: 'blocked', forMs: Math.min(...blocked.values()) };
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
async function takeAnswer(tx: StoreWriter, answer: PullAnswer, now: number): Promise<boolean> {
  await keepHeard(tx, now);
  if (await isOtherEpoch(tx, answer)) return true;
  await putSession(tx, { sessionId: answer.sessionId, userId: answer.userId });
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
  const before = await findEpoch(tx);
  if (before === answer.epoch) return false;
  await keepEpoch(tx, answer.epoch);
  for (const scope of Object.keys(await listCursors(tx))) await deleteCursor(tx, scope);
  await dropAccepted(tx);
  // The very first answer brings an epoch too: nothing was held, and nothing is asked again.
  if (before === undefined) return false;
  await dropAnswered(tx);
  return true;
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
  if (scopeKind(scope as Scope) === 'w') await countLost(tx);
  await deleteScope(tx, scope);
  await dropAnswered(tx);
  await dropSettled(tx);
}

/** Brings rows of a scope's shown generation to the versions they came with. */
export async function applyWireRows(
  tx: StoreWriter,
  { scope, generation }: ScopeState,
  rows: readonly WireRow[],
): Promise<void> {
  const byEntity = new Map<string, RowChange[]>();
  for (const [entity, id, v, row] of rows) {
    const changes = byEntity.get(entity) ?? [];
    changes.push({ id, v, row });
    byEntity.set(entity, changes);
  }
  if (byEntity.get('account')?.some(({ row }) => row === null)) await countLost(tx);
  for (const [entity, changes] of byEntity) {
    await applyRows(tx, { scope, entity, generation }, changes);
  }
}

/** Moves a scope's cursor, in the transaction that wrote the rows up to it; never back. */
export async function moveCursor(tx: StoreWriter, scope: string, to: number): Promise<void> {
  const before = await findCursor(tx, scope);
  if (before === undefined || before < to) await putCursor(tx, scope, to);
  await dropSettled(tx);
  await dropHeldAnswer(tx);
}
