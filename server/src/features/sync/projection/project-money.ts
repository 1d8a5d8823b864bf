import type { LedgerEntry } from '#shared/contract/credits.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { WalletChange } from '#shared/sync/entities.ts';
import type { Deps } from '../../../deps.ts';
import { findCard } from '../../billing/card.repository.ts';
import { viewCard } from '../../billing/card-view.ts';
import { listCreditsTransactions } from '../../billing/credits-transaction.repository.ts';
import { viewCreditsTransaction } from '../../billing/credits-transaction-view.ts';
import { listBalanceChangesById, readCreditStanding } from '../../credits/ledger.repository.ts';
import { viewLedgerRow } from '../../credits/ledger-view.ts';
import type { ScopeOwner } from '../scope-owner.ts';

type ProjectionDeps = Pick<Deps, 'database'>;

/** A workspace has one wallet, under its own id. */
export async function projectWallet(
  { database: { db } }: ProjectionDeps,
  { workspaceId }: ScopeOwner,
): Promise<Array<[id: string, row: WalletChange]>> {
  const { balance, lockedBonus } = await readCreditStanding(db, workspaceId);
  const card = await findCard(db, workspaceId);
  const billingInfo = card ? viewCard(card) : null;
  return [[workspaceId, { credits: balance, lockedBonus, billingInfo }]];
}

export async function projectTransactions(
  { database: { db } }: ProjectionDeps,
  { workspaceId }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: CreditsTransaction]>> {
  const rows = await listCreditsTransactions(db, workspaceId, ids);
  return rows.map((row) => [row.id, viewCreditsTransaction(row)]);
}

export async function projectLedger(
  { database: { db } }: ProjectionDeps,
  { workspaceId }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: LedgerEntry]>> {
  const rows = await listBalanceChangesById(db, workspaceId, ids);
  return rows.map((row) => [row.id, viewLedgerRow(row)]);
}
