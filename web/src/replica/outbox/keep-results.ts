import type { MutationResult } from '#shared/sync/push.ts';
import type { OutboxItem, Deferral } from '../store/outbox-item.ts';
import { areReached, findCursor, findScope } from '../store/scope-state.ts';
import type { StoreWriter } from '../store/sync-store.ts';

/** A change that was deferred is tried again after a quarter of its age, and after so long at the latest. */
const AGAIN_MAX_MS = 30_000;

export interface Answered {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Whether a later change makes an earlier one needless. */
  replaces: (later: OutboxItem, earlier: OutboxItem) => boolean;
}

/** Applies what the server answered to the changes of this client. */
export async function keepResults(
  tx: StoreWriter,
  results: readonly MutationResult[],
  answered: Answered,
): Promise<void> {
  const byMid = new Map(results.map((result) => [result.mid, result]));
  const items = await tx.listOutbox();
  for (const item of items) {
    const result = item.state.kind === 'sending' ? byMid.get(item.state.mid) : undefined;
    if (!result || item.state.kind !== 'sending') continue;
    if (item.state.deferred) {
      await requeueDeferred(tx, item, { result, items, answered });
    } else await keepResult(tx, item, result, answered);
  }
  await dropSettled(tx);
}

async function keepResult(
  tx: StoreWriter,
  item: OutboxItem,
  result: MutationResult,
  { nowMs }: Answered,
): Promise<void> {
  switch (result.status) {
    case 'ok': {
      const versions = { ...result.versions } as Record<string, number>;
      return tx.putOutboxItem({ ...item, state: { kind: 'accepted', versions } });
    }
    case 'rejected': {
      const { code, message } = result;
      await tx.putOutboxItem({ ...item, state: { kind: 'failed', code, message } });
      return tx.deletePatchesOf(item.id);
    }
    case 'later': {
      const { mid, code, message } = result;
      const waitMs = Math.max(
        result.retryAfterMs,
        Math.min(AGAIN_MAX_MS, (nowMs - item.madeAt) / 4),
      );
      const deferred: Deferral = { code, message, atMs: nowMs, dueAtMs: nowMs + waitMs };
      return tx.putOutboxItem({ ...item, state: { kind: 'sending', mid, deferred } });
    }
    default:
      return result satisfies never;
  }
}

/**
 * The number of a change that was deferred is burned, so nothing that is still on its way can carry the
 * change out under it any more. `ok` means that something did: it is sent again at once, for its answer.
 */
async function requeueDeferred(
  tx: StoreWriter,
  item: OutboxItem,
  {
    result: { status },
    items,
    answered,
  }: { result: MutationResult; items: readonly OutboxItem[]; answered: Answered },
): Promise<void> {
  if (item.state.kind !== 'sending' || !item.state.deferred || status === 'later') return;
  const { mid, deferred } = item.state;
  const isLater = ({ id, state }: OutboxItem): boolean =>
    id !== item.id && (state.kind === 'queued' || (state.kind === 'sending' && state.mid > mid));
  if (items.some((other) => isLater(other) && answered.replaces(other, item))) {
    await tx.deletePatchesOf(item.id);
    return tx.deleteOutboxItem(item.id);
  }
  const state =
    status === 'ok' ? ({ kind: 'queued' } as const) : ({ kind: 'queued', deferred } as const);
  await tx.putOutboxItem({ ...item, state });
}

/** Accepted changes go, with their patches, once the replica holds what they changed: nothing flickers. */
export async function dropSettled(tx: StoreWriter): Promise<void> {
  // A scope that is no longer the session's is not waited for.
  const versionOf = async (scope: string): Promise<number | undefined> =>
    (await findScope(tx, scope)) ? findCursor(tx, scope) : Infinity;
  for (const { id, state } of await tx.listOutbox()) {
    if (state.kind !== 'accepted') continue;
    if (await areReached(state.versions, versionOf)) {
      await tx.deletePatchesOf(id);
      await tx.deleteOutboxItem(id);
    }
  }
}
