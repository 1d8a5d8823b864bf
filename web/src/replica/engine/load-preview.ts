import type { EntityName } from '#shared/sync/entities.ts';
import { type Scope, scopeKind } from '#shared/contract/scope.ts';
import { applyRows } from '../store/apply-rows.ts';
import { type ChunkRow, placePrefix, packRows, rowsOf } from '../store/chunk.ts';
import { findUserRow } from '../store/read-rows.ts';
import { keepOlderBound } from '../queries/older-posts.ts';
import {
  findScope,
  PREVIEW_GENERATION,
  PREVIEWED,
  putScope,
  type ScopeState,
} from '../store/scope-state.ts';
import type { StoreReader, StoreWriter } from '../store/sync-store.ts';
import type { SnapshotLine, SyncWork } from '../network/sync-network.ts';

/** Enough for the first screen and some scrolling. */
const PREVIEW_ROWS = 128;

/** What was read of one account before everything else. */
interface Preview {
  accountId: string;
  v: number;
  rows: Map<EntityName, ChunkRow[]>;
  /** The key behind which its posts go on; undefined: these are all. */
  after: string | undefined;
}

/**
 * Before a workspace is read whole for the first time, reads the account that is shown with its newest
 * posts: with thousands of accounts they would come after all of these. They stand in a generation of
 * their own until the snapshot is whole (`keepPreview`). Whatever goes wrong here, the snapshot brings.
 */
export async function loadPreview(
  { store, network }: Pick<SyncWork, 'store' | 'network'>,
  scope: Scope,
  epoch: string,
  signal: AbortSignal,
): Promise<void> {
  if (scopeKind(scope) !== 'w') return;
  const accountId = await store.read((tx) => accountShown(tx, scope));
  if (accountId === undefined) return;
  const asked = { scope, entities: PREVIEWED, account: accountId, limit: PREVIEW_ROWS };
  const answered = await network.snapshot(asked, signal);
  if (answered.kind !== 'ok') return;
  const lines: SnapshotLine[] = [];
  for await (const some of answered.value) lines.push(...some);
  const preview = previewOf(accountId, epoch, lines);
  if (preview) await store.write((tx) => putPreview(tx, scope, epoch, preview));
}

/** Undefined when a first reading of the scope has begun, or nobody's account is known yet. */
async function accountShown(tx: StoreReader, scope: string): Promise<string | undefined> {
  if ((await findScope(tx, scope)) !== undefined) return undefined;
  const user = await findUserRow(tx);
  return user?.preferences.activeAccountId ?? user?.defaultAccountId ?? undefined;
}

/** Undefined for an answer that was cut, or comes from another database. */
function previewOf(
  accountId: string,
  epoch: string,
  lines: readonly SnapshotLine[],
): Preview | undefined {
  const head = lines.find((line) => line.kind === 'head');
  const end = lines.find((line) => line.kind === 'end');
  if (head?.epoch !== epoch || !end) return undefined;
  const rows = new Map<EntityName, ChunkRow[]>();
  for (const line of lines) {
    if (line.kind !== 'chunk') continue;
    const more = line.rows
      // A server of before sends other accounts too.
      .filter(([id]) => line.entity !== 'account' || id === accountId)
      .map(([id, v, row]) => ({ id, v, row }));
    rows.set(line.entity, [...(rows.get(line.entity) ?? []), ...more]);
  }
  return { accountId, v: head.v, rows, after: end.more.post };
}

/** The snapshot that follows counts as begun with it: what has changed since the preview is pulled. */
async function putPreview(
  tx: StoreWriter,
  scope: string,
  epoch: string,
  { accountId, v, rows, after }: Preview,
): Promise<void> {
  if ((await findScope(tx, scope)) !== undefined) return;
  const generation = PREVIEW_GENERATION + 1;
  await putScope(tx, {
    scope,
    generation,
    complete: [],
    preview: { accountId, after: after ?? null },
    loading: { generation, epoch, v, done: [], part: null },
  });
  for (const [entity, held] of rows) {
    await tx.putChunks(packRows({ scope, entity, generation: PREVIEW_GENERATION }, held));
  }
}

/** Once the snapshot is whole: what it has left on the server of the account stays held. */
export async function keepPreview(
  tx: StoreWriter,
  { scope, generation, preview, more = {} }: ScopeState,
): Promise<void> {
  if (!preview) return;
  if (more['post'] !== undefined) {
    for (const entity of PREVIEWED) {
      const prefix = placePrefix({ scope, entity, generation: PREVIEW_GENERATION });
      const chunks = await tx.getChunks(await tx.chunkKeys(prefix));
      const rows = chunks.flatMap((chunk) => rowsOf(entity, chunk));
      await applyRows(tx, { scope, entity, generation }, rows);
    }
    await keepOlderBound(tx, { scope, ...preview }, preview.after ?? undefined);
  }
  await dropPreview(tx, scope);
}

/** Its rows are no longer shown once the scope's state doesn't name it. */
export async function dropPreview(tx: StoreWriter, scope: string): Promise<void> {
  for (const entity of PREVIEWED) {
    await tx.deleteChunksFrom(placePrefix({ scope, entity, generation: PREVIEW_GENERATION }));
  }
}
