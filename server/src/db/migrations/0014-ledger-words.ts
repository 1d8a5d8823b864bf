import { type QueryExecutorProvider, sql } from 'kysely';

const STATEMENTS = [
  // What names a post or is written by hand; beside the ledger, so that it can be deleted.
  `create table ledger_words (
    workspace_id uuid not null,
    transaction_id uuid not null,
    words text not null,
    primary key (workspace_id, transaction_id),
    foreign key (workspace_id, transaction_id) references ledger_transaction (workspace_id, id)
      on delete cascade
  )`,
  // Whoever has left has no user any more, so theirs are forgotten here.
  `insert into ledger_words (workspace_id, transaction_id, words)
    select workspace_id, id, description from ledger_transaction t
    where (order_id is not null or kind = 'correction') and exists
      (select from app_user u where u.workspace_id = t.workspace_id)`,
  // The one time that the ledger lets go of something: words, no amount, key or date.
  `alter table ledger_transaction disable trigger append_only`,
  `update ledger_transaction
    set description = regexp_replace(description, ' for post \\S* of @\\S+', ' for a post')
    where order_id is not null`,
  `update ledger_transaction set description = 'Correction' where kind = 'correction'`,
  `alter table ledger_transaction enable trigger append_only`,
];

/** Names and free words leave the append-only ledger for a table that is emptied with the account. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
