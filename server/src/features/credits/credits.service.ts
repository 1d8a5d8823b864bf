import type { CallData } from '#shared/contract/call.ts';
import type { findLedger as findLedgerCall } from '#shared/contract/credits.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { Deps } from '../../deps.ts';
import { listCreditsTransactions } from '../billing/credits-transaction.repository.ts';
import { viewCreditsTransaction } from '../billing/credits-transaction-view.ts';
import { ledgerCsv } from './ledger-csv.ts';
import { listBalanceChanges, readCreditStanding } from './ledger.repository.ts';
import { viewLedgerRow } from './ledger-view.ts';

type CreditsDeps = Pick<Deps, 'database'>;

/** A page shows so many changes; the download has more. */
const SHOWN_MOST = 1000;
const DOWNLOADED_MOST = 100_000;

/** The payments of a workspace, newest first. */
export async function findTransactions(
  { database }: CreditsDeps,
  workspaceId: string,
): Promise<CreditsTransaction[]> {
  const rows = await listCreditsTransactions(database.db, workspaceId);
  return rows.map(viewCreditsTransaction);
}

/** Every change of the balance, newest first; the newest 1,000. */
export async function findLedger(
  { database }: CreditsDeps,
  workspaceId: string,
): Promise<CallData<typeof findLedgerCall>> {
  const { balance } = await readCreditStanding(database.db, workspaceId);
  const rows = await listBalanceChanges(database.db, workspaceId, { limit: SHOWN_MOST });
  return { balance, entries: rows.map(viewLedgerRow) };
}

/** The changes of the balance for a spreadsheet, newest first; the newest 100,000. */
export async function downloadLedger(
  { database }: CreditsDeps,
  workspaceId: string,
): Promise<string> {
  const rows = await listBalanceChanges(database.db, workspaceId, { limit: DOWNLOADED_MOST });
  return ledgerCsv(rows.map(viewLedgerRow));
}
