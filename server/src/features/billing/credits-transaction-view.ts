import type { CreditsTransaction } from '#shared/contract/user.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import { viewCard } from './card-view.ts';
import type { CreditsTransactionRow } from './credits-transaction.repository.ts';

/** A payment as customers see it (S§3). */
export function viewCreditsTransaction(row: CreditsTransactionRow): CreditsTransaction {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    ...(row.ig_username === null ? {} : { igUsername: row.ig_username }),
    description: row.description,
    price: dollarsFromCents(row.amount_cents),
    billingInfoId: viewCard(row),
  };
}
