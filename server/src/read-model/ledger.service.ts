import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { findLedger as findLedgerCall, LedgerEntry } from '#shared/contract/money/credits.ts';
import { csvOf } from '#shared/domain/accounts/csv.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { LedgerTransactionKind } from '#server/kit/db/tables/ledger.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  type LedgerRow,
  listBalanceChanges,
  listBalanceChangesById,
  readCreditStatus,
} from '#server/money/credits/ledger.repository.ts';

type LedgerDeps = Pick<Deps, 'database'>;

/** The customer's word for each kind: what is held has left the balance, so it reads as spent. */
const SHOWN: Record<LedgerTransactionKind, LedgerEntry['kind']> = {
  bonus: 'bonus',
  pack: 'pack',
  hold: 'spend',
  settle: 'release',
  shortfall: 'shortfall',
  refund: 'refund',
  correction: 'correction',
  money_back: 'refund',
  dispute: 'refund',
};

/** A change of the balance as customers see it. */
function viewLedgerRow(row: LedgerRow): LedgerEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: SHOWN[row.kind],
    description: row.words ?? row.description,
    credits: row.credits,
    balance: row.balance,
  };
}

type LedgerPage = Pick<CallParsed<typeof findLedgerCall>, 'limit' | 'before'>;

/** A page of the changes of the balance, newest first; empty behind a change that isn't ours. */
export async function findLedger(
  { database }: LedgerDeps,
  workspaceId: WorkspaceId,
  page: LedgerPage,
): Promise<CallData<typeof findLedgerCall>> {
  const { balance } = await readCreditStatus(database.db, workspaceId);
  const rows = await listBalanceChanges(database.db, workspaceId, page);
  return { balance, entries: rows.map(viewLedgerRow) };
}

export async function projectLedger(
  { database }: LedgerDeps,
  { workspaceId }: { workspaceId: WorkspaceId },
  ids: readonly string[],
): Promise<Array<[id: string, row: LedgerEntry]>> {
  const rows = await listBalanceChangesById(database.db, workspaceId, ids);
  return rows.map((row) => [row.id, viewLedgerRow(row)]);
}

/** Changes a download reads at a time. */
const DOWNLOAD_PAGE = 5000;
const COLUMNS = ['at', 'kind', 'description', 'credits', 'balance', 'id'] as const;

/** Every change of the balance for a spreadsheet, newest first, in pieces; the columns' names come first. */
export async function* downloadLedger(
  { database }: LedgerDeps,
  workspaceId: WorkspaceId,
  limit = DOWNLOAD_PAGE,
): AsyncGenerator<string, void> {
  yield csvOf([COLUMNS]);
  let before: string | undefined;
  do {
    const rows = await listBalanceChanges(database.db, workspaceId, { limit, before });
    yield ledgerCsvRows(rows.map(viewLedgerRow));
    before = rows.length < limit ? undefined : rows.at(-1)?.id;
  } while (before !== undefined);
}

/** A line each. */
export function ledgerCsvRows(entries: readonly LedgerEntry[]): string {
  return csvOf(entries.map((entry) => COLUMNS.map((column) => entry[column])));
}
