import type { StoreReader, StoreWriter } from './sync-store.ts';

const HELD = 'changes-held';

/** Nothing that waits is sent until its person has said so: the session was taken from this device (D2). */
export async function holdChanges(tx: StoreWriter): Promise<void> {
  await tx.putMeta(HELD, true);
}

export async function areChangesHeld(store: StoreReader): Promise<boolean> {
  return (await store.getMeta(HELD)) === true;
}

export async function releaseChanges(tx: StoreWriter): Promise<void> {
  await tx.deleteMeta(HELD);
}
