import { type AuditAction, appendAudit } from '#server/audit/audit.repository.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { findCard } from '../cards/card.repository.ts';
import type { ChargeCase } from './charge.repository.ts';

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
