import type { Db } from './database.ts';

/** Charges, each with what is owed by it and the card that is to pay. */
export function selectCharges(db: Db) {
  return db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .innerJoin('card', (join) =>
      join
        .onRef('card.workspace_id', '=', 'charge.workspace_id')
        .onRef('card.id', '=', 'charge.card_id'),
    );
}
