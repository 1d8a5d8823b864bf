import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { type AccountFigures, isSameFigures } from '#web/replica/queries/account-figures.ts';
import type { DeskRow } from './desk-columns.tsx';

const NO_FIGURES: AccountFigures = {
  posts: 0,
  likes: 0,
  problem: undefined,
  retention: null,
  detectionMs: null,
};

/** Rows of the desk. Of an account of which nothing has changed it stays the same object; of none, all of them do. */
export class DeskRows {
  #rows: ReadonlyMap<string, DeskRow> = new Map();
  #list: readonly DeskRow[] = [];

  list(
    accounts: readonly ConnectedAccount[],
    figures: ReadonlyMap<string, AccountFigures> | undefined,
    kept: ReadonlySet<string> | undefined,
  ): readonly DeskRow[] {
    const rows = accounts.map((account): DeskRow => {
      const row: DeskRow = {
        account,
        figures: figures && (figures.get(account.igId) ?? NO_FIGURES),
        isKept: kept?.has(account.igId),
      };
      const before = this.#rows.get(account.igUsername);
      return before && isSame(before, row) ? before : row;
    });
    const before = this.#list;
    if (rows.length === before.length && rows.every((row, nth) => row === before[nth])) {
      return before;
    }
    this.#rows = new Map(rows.map((row) => [row.account.igUsername, row]));
    this.#list = rows;
    return rows;
  }
}

const isSame = (a: DeskRow, b: DeskRow): boolean =>
  a.account === b.account && a.isKept === b.isKept && isSameFigures(a.figures, b.figures);
