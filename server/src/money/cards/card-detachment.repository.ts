import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { textList } from '#server/kit/db/text-list.ts';
import { OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import { PROMISED_STATES } from '#server/kit/db/tables/refund.table.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

/** A checkout that was under way at the deletion may have saved one more card until then. */
export const CHECK_AGAIN_MS = 2 * MINUTE_MS;

/**
 * Whose money may still move: a payment nobody knows the end of, a refund that is owed or
 * that the gateway has refused, and a money back that isn't through.
 */
export const MONEY_UNDER_WAY = `(
  select workspace_id from charge where state in (${textList(OPEN_STATES)})
  union all select workspace_id from refund where state in (${textList(PROMISED_STATES)})
  union all select workspace_id from refund_request where state <> 'Paid')`;

/** Rows with a step that can be taken: whose cards are all off waits, due or not, until its money has settled. */
export const CAN_GO_ON = `(detached_at is null
  or detached_at < asked_at + ${CHECK_AGAIN_MS} * interval '1 millisecond'
  or workspace_id not in ${MONEY_UNDER_WAY})`;

/** Owes the gateway that a workspace is forgotten, if the gateway knows it at all. */
export async function askForDetachment(tx: Tx, workspaceId: WorkspaceId, now: Date): Promise<void> {
  await sql`
    insert into card_detachment (workspace_id, gateway_customer_id, asked_at, next_attempt_at)
    select workspace_id, gateway_customer_id, ${now}, ${now} from gateway_customer
    where workspace_id = ${workspaceId}`.execute(tx);
}

export interface DueDetachment {
  workspaceId: WorkspaceId;
  customerId: string;
  askedAt: Date;
  detachedAt: Date | null;
  fence: number;
}

export function claimDueDetachments(db: Db, lease: Lease): Promise<DueDetachment[]> {
  return claimDue(
    db,
    {
      ...lease,
      table: 'card_detachment',
      due: 'next_attempt_at',
      where: sql.raw(CAN_GO_ON),
      set: RAISE_FENCE,
    },
    sql<DueDetachment>`t.workspace_id as "workspaceId", t.gateway_customer_id as "customerId",
      t.asked_at as "askedAt", t.detached_at as "detachedAt", t.fence`,
  );
}

/** @returns false when somebody else has had it since */
export async function changeDetachment(
  db: Db,
  { workspaceId, fence }: DueDetachment,
  change: { next_attempt_at: Date; detached_at?: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('card_detachment')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('fence', '=', fence)
    .returning('workspace_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The gateway's name of the customer is kept no longer than it is needed. */
export async function endDetachment(
  db: Db,
  { workspaceId, fence }: DueDetachment,
): Promise<boolean> {
  const row = await db
    .deleteFrom('card_detachment')
    .where('workspace_id', '=', workspaceId)
    .where('fence', '=', fence)
    .returning('workspace_id')
    .executeTakeFirst();
  return row !== undefined;
}
