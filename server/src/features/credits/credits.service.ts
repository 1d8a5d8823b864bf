import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { findLedger as findLedgerCall } from '#shared/contract/credits.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { Deps } from '../../deps.ts';
import { listCreditsTransactions } from '../billing/credits-transaction.repository.ts';
import { viewCreditsTransaction } from '../billing/credits-transaction-view.ts';
import { ledgerCsvHead, ledgerCsvRows } from './ledger-csv.ts';
import { listBalanceChanges, readCreditStanding } from './ledger.repository.ts';
import { viewLedgerRow } from './ledger-view.ts';

type CreditsDeps = Pick<Deps, 'database'>;

/** Changes a download reads at a time. */
const DOWNLOAD_PAGE = 5000;

/** The payments of a workspace, newest first. */
export async function findTransactions(
  { database }: CreditsDeps,
  workspaceId: string,
): Promise<CreditsTransaction[]> {
  const rows = await listCreditsTransactions(database.db, workspaceId);
  return rows.map(viewCreditsTransaction);
}

type LedgerPage = Pick<CallParsed<typeof findLedgerCall>, 'limit' | 'before'>;

/** A page of the changes of the balance, newest first; empty behind a change that isn't ours. */
export async function findLedger(
  { database }: CreditsDeps,
  workspaceId: string,
  page: LedgerPage,
): Promise<CallData<typeof findLedgerCall>> {
  const { balance } = await readCreditStanding(database.db, workspaceId);
  const rows = await listBalanceChanges(database.db, workspaceId, page);
  return { balance, entries: rows.map(viewLedgerRow) };
}

/** Every change of the balance for a spreadsheet, newest first, in pieces. */
export async function* downloadLedger(
  { database }: CreditsDeps,
  workspaceId: string,
  limit = DOWNLOAD_PAGE,
): AsyncGenerator<string, void> {
  yield ledgerCsvHead();
  let before: string | undefined;
  do {
    const rows = await listBalanceChanges(database.db, workspaceId, { limit, before });
    yield ledgerCsvRows(rows.map(viewLedgerRow));
    before = rows.length < limit ? undefined : rows.at(-1)?.id;
  } while (before !== undefined);
}
