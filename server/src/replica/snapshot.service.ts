import * as v from 'valibot';
import { askedInstant } from '#shared/contract/fields.ts';
import { type EntityName, isEntity } from '#shared/sync/entities.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SnapshotQuery } from '#shared/sync/snapshot.ts';
import { isWrittenId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { InShare } from '#server/identity/http/session-share.ts';
import { inSchema } from './project-log.ts';
import type { ReplicaDeps, SnapshotPage, SnapshotRow } from './projection.ts';
import { entitiesOf, type ScopeOwner } from './scope-owner.ts';
import { countLiveRows, listLiveRows, readEpoch, readHeads } from './sync-log.repository.ts';

/** The first rows are on the screen before the others are read. */
const FIRST_ROWS = SYNC_LIMITS.chunkRows;
const BATCH_ROWS = 8 * SYNC_LIMITS.chunkRows;
const POST_ID = /^[\w-]+$/;

/** Each batch takes a place in the share of whoever asks. */
type Query = SnapshotQuery & { schema: number; inShare: InShare };

/**
 * The lines of a snapshot. Each batch is a statement of its own: no transaction is held open however slowly
 * somebody reads. What changes meanwhile has a version above the head's, which is read before any row.
 * @throws ApiError `invalid_input`, `snapshot_gone`; at once, before the first line
 */
export async function openSnapshot(
  deps: ReplicaDeps,
  owner: ScopeOwner,
  query: Query,
): Promise<AsyncGenerator<string>> {
  const { db } = deps.database;
  const entities = query.entity?.filter(isEntity) ?? entitiesOf(owner);
  // A place among rows of an earlier schema is none among those behind them.
  const after = entities[0] === (query.entity ?? entities)[0] ? query.after : undefined;
  checkQuery(owner, after, entities);
  const head = (await readHeads(db, [owner])).get(owner.scope) ?? { v: 0, gcV: 0 };
  if (query.v !== undefined && (query.v < head.gcV || query.v > head.v)) {
    throw new ApiError(
      'snapshot_gone',
      'This snapshot is too old to continue. Please start a new one.',
    );
  }
  // Of one account it would take longer to count than to read.
  const counts = query.account ? new Map() : await countLiveRows(db, owner, entities);
  const first = {
    epoch: await readEpoch(db),
    v: head.v,
    schema: query.schema,
    count: Object.fromEntries(entities.map((entity) => [entity, counts.get(entity) ?? 0])),
  };
  return lines(deps, owner, { query: { ...query, after }, entities, first });
}

function checkQuery(
  owner: ScopeOwner,
  after: string | undefined,
  entities: readonly EntityName[],
): void {
  const strange = entities.find((entity) => !entitiesOf(owner).includes(entity));
  if (strange) throw new ApiError('invalid_input', `This scope has no ${strange} rows.`);
  if (after === undefined) return;
  if (!(entities[0] === 'post' ? isPostKey(after) : isWrittenId(after))) {
    throw new ApiError(
      'invalid_input',
      'This cursor isn’t one of ours. Please start again without it.',
    );
  }
}

/** `taken_at|account|id`: each such that the database reads it, or the connection would be cut midway. */
function isPostKey(key: string): boolean {
  const [takenAt = '', accountId = '', id = '', ...rest] = key.split('|');
  return isInstant(takenAt) && isWrittenId(accountId) && POST_ID.test(id) && rest.length === 0;
}

/** A 30th of February is moved on by JavaScript, and refused by the database. */
function isInstant(text: string): boolean {
  if (!v.is(askedInstant, text)) return false;
  return text.endsWith('Z') && new Date(text).toISOString().slice(0, 10) === text.slice(0, 10);
}

async function* lines(
  deps: ReplicaDeps,
  owner: ScopeOwner,
  {
    query,
    entities,
    first,
  }: {
    query: Query;
    entities: readonly EntityName[];
    first: object;
  },
): AsyncGenerator<string> {
  yield `${JSON.stringify(first)}\n`;
  let count = 0;
  const more: Partial<Record<EntityName, string>> = {};
  for (const [at, entity] of entities.entries()) {
    let after = at === 0 ? query.after : undefined;
    // Older posts and orders are asked for when somebody looks at them; accounts are a table that has to be whole.
    let left = (entity === 'account' ? undefined : query.limit) ?? Infinity;
    let size = Math.min(FIRST_ROWS, left);
    const read = (): Promise<SnapshotPage> => {
      const page = { ...query, entity, after, limit: size };
      const reading = query.inShare(() => readBatch(deps, owner, page));
      // Whoever asked may be gone before it is waited for.
      reading.catch(() => undefined);
      return reading;
    };
    for (let reading: Promise<SnapshotPage> | undefined = read(); reading;) {
      const page: SnapshotPage = await reading;
      left -= page.read;
      after = page.after ?? after;
      const isLast = page.read < size || left <= 0 || after === undefined;
      if (page.read >= size && isLast && after !== undefined) more[entity] = after;
      size = Math.min(BATCH_ROWS, left);
      // The database looks for the next rows while these are on their way.
      reading = isLast ? undefined : read();
      count += page.rows.length;
      if (page.rows.length > 0) yield chunkLines(entity, page.rows, query.schema);
    }
  }
  yield `${JSON.stringify({ end: true, count, more })}\n`;
}

async function readBatch(
  deps: ReplicaDeps,
  owner: ScopeOwner,
  page: {
    entity: EntityName;
    after: string | undefined;
    account?: string | undefined;
    limit: number;
  },
): Promise<SnapshotPage> {
  const { entity, after, account, limit } = page;
  if (entity === 'post') return deps.projection.pageOfPosts(deps, owner, { after, account, limit });
  const keys = await listLiveRows(deps.database.db, owner, { entity, after, account, limit });
  const texts = await deps.projection.projectRows(
    deps,
    owner,
    entity,
    keys.map(({ id }) => id),
  );
  const rows = keys.flatMap(({ id, v }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [{ id, v, key: id, text }];
  });
  return { rows, read: keys.length, after: keys.at(-1)?.id };
}

/** One line for 128 rows. */
function chunkLines(entity: EntityName, rows: readonly SnapshotRow[], schema: number): string {
  let text = '';
  for (let at = 0; at < rows.length; at += SYNC_LIMITS.chunkRows) {
    const chunk = rows.slice(at, at + SYNC_LIMITS.chunkRows);
    const inner = chunk.map(
      ({ id, v, text: row }) => `[${JSON.stringify(id)},${v},${inSchema(entity, row, schema)}]`,
    );
    const after = JSON.stringify(chunk.at(-1)?.key ?? '');
    text += `{"entity":"${entity}","after":${after},"rows":[${inner.join(',')}]}\n`;
  }
  return text;
}
