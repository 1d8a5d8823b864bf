import { appendAudit, type AuditAction } from '#server/audit/audit.repository.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { findCard } from '../cards/card.repository.ts';
import type { ChargeCase } from './charge.repository.ts';
import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import {
  type CardTable,
  type CreditsTransactionTable,
  REVERSING_STATES,
} from '#server/kit/db/tables/charge.table.ts';

/** A payment with what the mask of its card needs. */
export type CreditsTransactionRow = Selectable<CreditsTransactionTable> &
  Pick<Selectable<CardTable>, 'brand' | 'last_digits' | 'holder_name' | 'exp_month' | 'exp_year'>;

/** Writes a payment down: invoice paid, a new card in use where it is to be, one line in the transaction history. */
export async function recordPayment(
  tx: Tx,
  paid: ChargeCase,
  line: { id: string; igUsername: string | null; now: Date },
): Promise<void> {
  const { workspaceId } = paid;
  const { id, igUsername, now } = line;
  await tx
    .updateTable('invoice')
    .set({ paid_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', paid.invoiceId)
    .execute();
  await useCard(tx, paid, now);
  await tx
    .insertInto('credits_transaction')
    .values({
      workspace_id: workspaceId,
      id,
      charge_id: paid.chargeId,
      card_id: paid.cardId,
      ig_username: igUsername,
      description: paid.description,
      amount_cents: paid.amountCents,
      created_at: now,
    })
    .execute();
}

/** A new card pays for one thing only, unless it is the first one or the customer has said more (D4). */
async function useCard(
  tx: Tx,
  { workspaceId, cardId, checkout }: ChargeCase,
  now: Date,
): Promise<void> {
  const isForAllPlans = 'isForAllPlans' in checkout && checkout.isForAllPlans;
  if (!isForAllPlans && (await findCard(tx, workspaceId))) return;
  await tx
    .updateTable('card')
    .set({ in_use_since: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', cardId)
    // A renewal that is settled late doesn't bring a replaced card back.
    .where('in_use_since', 'is', null)
    .execute();
}

/** The receipt has the charge's id: a charge owes one, whoever learns of it. */
export async function confirmPayment(tx: Tx, charge: ChargeCase, now: Date): Promise<void> {
  const { workspaceId, chargeId, checkout, askedBy } = charge;
  await insertMail(tx, { workspaceId, id: chargeId, payload: { kind: 'receipt', chargeId }, now });
  await appendAudit(tx, {
    workspaceId,
    actor: 'userId' in checkout ? checkout.userId : (askedBy ?? 'system'),
    action: paidAction(checkout.kind),
    subject: chargeId,
    now,
  });
}

/** Of plans only first payments and renewals are payments of a subscription; a change is its own. */
function paidAction(kind: ChargeCase['checkout']['kind']): AuditAction {
  switch (kind) {
    case 'credits':
      return 'credits_bought';
    case 'plan_change':
      return 'plan_changed';
    case 'subscription':
    case 'renewal':
      return 'subscription_paid';
    default:
      return kind satisfies never;
  }
}

/** The payments of a workspace (or these), newest first. */
export function listCreditsTransactions(
  db: Db,
  workspaceId: WorkspaceId,
  ids?: readonly string[],
): Promise<CreditsTransactionRow[]> {
  let query = db
    .selectFrom('credits_transaction')
    .innerJoin('card', (join) =>
      join
        .onRef('card.workspace_id', '=', 'credits_transaction.workspace_id')
        .onRef('card.id', '=', 'credits_transaction.card_id'),
    )
    .selectAll('credits_transaction')
    .select([
      'card.brand',
      'card.last_digits',
      'card.holder_name',
      'card.exp_month',
      'card.exp_year',
    ])
    .where('credits_transaction.workspace_id', '=', workspaceId);
  if (ids) query = query.where('credits_transaction.id', '=', sql<string>`any(${ids}::uuid[])`);
  return query
    .orderBy('credits_transaction.created_at', 'desc')
    .orderBy('credits_transaction.id', 'desc')
    .execute();
}

export interface PaidPack {
  workspaceId: WorkspaceId;
  chargeId: string;
  amountCents: number;
  credits: number;
}

/** A payment for credits of which nothing has gone back or is disputed, held until the end of the transaction. */
export async function lockPaidPack(tx: Tx, chargeId: string): Promise<PaidPack | undefined> {
  const { rows } = await sql<PaidPack>`
    select c.workspace_id as "workspaceId", c.id as "chargeId", c.amount_cents as "amountCents",
      (i.checkout ->> 'credits')::int as credits
    from charge c join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where c.id = ${chargeId} and c.state = 'succeeded' and i.checkout ->> 'kind' = 'credits'
    for update of c`.execute(tx);
  const [pack] = rows;
  if (!pack) return undefined;
  // A statement of its own: behind the lock it sees what a duplicate has written.
  const refund = await tx
    .selectFrom('refund')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .limit(1)
    .executeTakeFirst();
  if (refund) return undefined;
  const dispute = await tx
    .selectFrom('dispute')
    .select('id')
    .where('workspace_id', '=', pack.workspaceId)
    .where('charge_id', '=', chargeId)
    .where('state', 'in', REVERSING_STATES)
    .limit(1)
    .executeTakeFirst();
  return dispute ? undefined : pack;
}
