import type { MutationResult } from '#shared/sync/push.ts';
import type { OutboxItem, PutOff } from './outbox-item.ts';
import { findCursor, findScope } from './scope-state.ts';
import type { StoreReader, StoreWriter } from './sync-store.ts';

/** A change that was put off is tried again after a quarter of its age, and after so long at the latest. */
const AGAIN_MAX_MS = 30_000;

export interface Answered {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Whether a later change makes an earlier one needless. */
  replaces: (later: OutboxItem, earlier: OutboxItem) => boolean;
}

/** Takes over what the server answered to the changes of this client. */
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
    if (item.state.putOff) {
      await queueAgain(tx, item, { result, items, answered });
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
      const putOff: PutOff = { code, message, atMs: nowMs, dueAtMs: nowMs + waitMs };
      return tx.putOutboxItem({ ...item, state: { kind: 'sending', mid, putOff } });
    }
    default:
      return result satisfies never;
  }
}

/**
 * The number of a change that was put off is spent, so nothing that is still on its way can carry the
 * change out under it any more. `ok` means that something did: it is sent again at once, for its answer.
 */
async function queueAgain(
  tx: StoreWriter,
  item: OutboxItem,
  {
    result: { status },
    items,
    answered,
  }: { result: MutationResult; items: readonly OutboxItem[]; answered: Answered },
): Promise<void> {
  if (item.state.kind !== 'sending' || !item.state.putOff || status === 'later') return;
  const { mid, putOff } = item.state;
  const isLater = ({ id, state }: OutboxItem): boolean =>
    id !== item.id && (state.kind === 'queued' || (state.kind === 'sending' && state.mid > mid));
  if (items.some((other) => isLater(other) && answered.replaces(other, item))) {
    await tx.deletePatchesOf(item.id);
    return tx.deleteOutboxItem(item.id);
  }
  const state =
    status === 'ok' ? ({ kind: 'queued' } as const) : ({ kind: 'queued', putOff } as const);
  await tx.putOutboxItem({ ...item, state });
}

/** Accepted changes go, with their patches, once the copy holds what they changed: nothing flickers. */
export async function dropSettled(tx: StoreWriter): Promise<void> {
  for (const { id, state } of await tx.listOutbox()) {
    if (state.kind !== 'accepted') continue;
    if (await isReached(tx, state.versions)) {
      await tx.deletePatchesOf(id);
      await tx.deleteOutboxItem(id);
    }
  }
}

async function isReached(tx: StoreReader, versions: Record<string, number>): Promise<boolean> {
  for (const [scope, v] of Object.entries(versions)) {
    const isHeld = (await findScope(tx, scope)) !== undefined;
    const cursor = await findCursor(tx, scope);
    if (isHeld && (cursor === undefined || cursor < v)) return false;
  }
  return true;
}
