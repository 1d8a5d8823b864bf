import { type Selectable, sql } from 'kysely';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type {
  LedgerAccount,
  LedgerTransactionKind,
  LedgerTransactionTable,
} from '#server/kit/db/tables/ledger.table.ts';
import { keptOfCharge } from '../charges/refund.repository.ts';

/** With the words that stand for its description, if it has any. */
export type LedgerRow = Selectable<LedgerTransactionTable> & { words: string | null };

/** A change of the ledger that is to be written. */
export interface Posting {
  workspaceId: WorkspaceId;
  id: string;
  /** Its meaning; the same one twice violates `ledger_key_is_once`. */
  key: string;
  kind: LedgerTransactionKind;
  /** Stays for ever: no name, nobody's own words. */
  description: string;
  /** The same for the customer to read, with names; deleted with the account. */
  words?: string | undefined;
  /** Sums to 0; what stands on `credits` changes the balance. */
  entries: Partial<Record<LedgerAccount, number>>;
  orderId?: OrderId;
  chargeId?: string;
  now: Date;
}

/** Balance and number of the transaction it belongs to. */
interface Moved {
  balance: number;
  entries: number;
}

/**
 * Writes a posting that doesn't lower the balance.
 * @returns the balance afterwards
 */
export async function postGain(tx: Tx, posting: Posting): Promise<number> {
  const credits = posting.entries.credits ?? 0;
  const bonus = posting.kind === 'bonus' ? credits : 0;
  const { rows } = await sql<Moved>`
    insert into credit_balance as b (workspace_id, balance, bonus, entries)
    values (${posting.workspaceId}, ${credits}, ${bonus}, 1)
    on conflict (workspace_id) do update set balance = b.balance + excluded.balance,
      bonus = b.bonus + excluded.bonus, entries = b.entries + 1
    returning b.balance, b.entries`.execute(tx);
  return insertPosting(tx, posting, rows[0]);
}

/**
 * Writes a posting that takes credits, if there are so many to spend: one statement decides and takes,
 * so of any number at once never more than the balance is spent. Bonus credits count only once the
 * workspace has paid for something (D4).
 * @returns the balance afterwards; undefined when there are too few
 */
export async function postSpend(tx: Tx, posting: Posting): Promise<number | undefined> {
  const taken = -(posting.entries.credits ?? 0);
  const { rows } = await sql<Moved>`
    update credit_balance as b set balance = b.balance - ${taken}, entries = b.entries + 1
    where b.workspace_id = ${posting.workspaceId}
      and b.balance - case when ${hasPaid(posting.workspaceId)} then 0 else b.bonus end >= ${taken}
    returning b.balance, b.entries`.execute(tx);
  return rows[0] && insertPosting(tx, posting, rows[0]);
}

/** Takes credits back whether or not they are bonus; undefined when there are too few. */
export async function postTakeBack(tx: Tx, posting: Posting): Promise<number | undefined> {
  const taken = -(posting.entries.credits ?? 0);
  const { rows } = await sql<Moved>`
    update credit_balance as b set balance = b.balance - ${taken}, entries = b.entries + 1
    where b.workspace_id = ${posting.workspaceId} and b.balance >= ${taken}
    returning b.balance, b.entries`.execute(tx);
  return rows[0] && insertPosting(tx, posting, rows[0]);
}

/** Holds the balance until the end of the transaction, so that what is read of it stays. */
export async function lockBalance(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .selectFrom('credit_balance')
    .select('balance')
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
}

/** A bonus that is taken back is none any more, spent or not. */
export async function removeBonus(
  tx: Tx,
  workspaceId: WorkspaceId,
  credits: number,
): Promise<void> {
  await tx
    .updateTable('credit_balance')
    .set((eb) => ({ bonus: eb('bonus', '-', credits) }))
    .where('workspace_id', '=', workspaceId)
    .execute();
}

async function insertPosting(tx: Tx, posting: Posting, moved: Moved | undefined): Promise<number> {
  if (!moved) throw new Error(`No credit balance for ${posting.key}`);
  const { workspaceId, id } = posting;
  await tx
    .insertInto('ledger_transaction')
    .values({
      workspace_id: workspaceId,
      id,
      number: moved.entries,
      key: posting.key,
      kind: posting.kind,
      description: posting.description,
      credits: posting.entries.credits ?? 0,
      balance: moved.balance,
      order_id: posting.orderId ?? null,
      charge_id: posting.chargeId ?? null,
      at: posting.now,
    })
    .execute();
  const entries = Object.entries(posting.entries) as Array<[LedgerAccount, number]>;
  await tx
    .insertInto('ledger_entry')
    .values(
      entries
        .filter(([, amount]) => amount !== 0)
        .map(([account, amount]) => ({
          workspace_id: workspaceId,
          transaction_id: id,
          account,
          amount,
        })),
    )
    .execute();
  if (posting.words !== undefined) {
    const { words } = posting;
    await tx
      .insertInto('ledger_words')
      .values({ workspace_id: workspaceId, transaction_id: id, words })
      .execute();
  }
  return moved.balance;
}

/** No subscription's id; invoices of credit packs have none at all. */
const NO_SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';

/**
 * Whether the workspace has paid, not counting one subscription's payments where given. A payment that has
 * gone back in full, with what is disputed of it, or whose plan's money has been asked back, is none.
 */
export function hasPaid(workspaceId: WorkspaceId, exceptSubscriptionId?: string) {
  return sql<boolean>`exists (select from credits_transaction t
    join charge c on c.workspace_id = t.workspace_id and c.id = t.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where t.workspace_id = ${workspaceId} and t.amount_cents > 0
      and i.subscription_id is distinct from ${exceptSubscriptionId ?? NO_SUBSCRIPTION}::uuid
      and not exists (select from refund_request m
        where m.workspace_id = i.workspace_id and m.subscription_id = i.subscription_id)
      and ${keptOfCharge} > 0)`;
}

/** Credits of a workspace, and whether it has ever paid for something. */
export interface CreditStatus {
  balance: number;
  /** Bonus credits among them that can't be spent yet. */
  lockedBonus: number;
  hasPaid: boolean;
}

export async function readCreditStatus(db: Db, workspaceId: WorkspaceId): Promise<CreditStatus> {
  const { rows } = await sql<{ balance: number; bonus: number; hasPaid: boolean }>`
    select coalesce(b.balance, 0)::bigint as balance, coalesce(b.bonus, 0)::bigint as bonus,
      ${hasPaid(workspaceId)} as "hasPaid"
    from (select 1) as one left join credit_balance b on b.workspace_id = ${workspaceId}`.execute(
    db,
  );
  const { balance = 0, bonus = 0, hasPaid: isPayer = false } = rows[0] ?? {};
  return { balance, lockedBonus: isPayer ? 0 : Math.min(balance, bonus), hasPaid: isPayer };
}

/** The changes of a balance, newest first; what left it as it was is no change. */
export function listBalanceChanges(
  db: Db,
  workspaceId: WorkspaceId,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<LedgerRow[]> {
  let query = selectWithWords(db, workspaceId).where('credits', '<>', 0);
  if (before !== undefined) {
    query = query.where('number', '<', (of) =>
      of
        .selectFrom('ledger_transaction as edge')
        .select('edge.number')
        .where('edge.workspace_id', '=', workspaceId)
        .where('edge.id', '=', before),
    );
  }
  return query.orderBy('number', 'desc').limit(limit).execute();
}

/** These changes of a balance. */
export function listBalanceChangesById(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<LedgerRow[]> {
  return selectWithWords(db, workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

function selectWithWords(db: Db, workspaceId: WorkspaceId) {
  return db
    .selectFrom('ledger_transaction')
    .selectAll()
    .select((of) =>
      of
        .selectFrom('ledger_words')
        .select('words')
        .whereRef('ledger_words.workspace_id', '=', 'ledger_transaction.workspace_id')
        .whereRef('transaction_id', '=', 'ledger_transaction.id')
        .as('words'),
    )
    .where('workspace_id', '=', workspaceId);
}
