import { type Insertable, sql } from 'kysely';
import type { BillingAddress } from '#shared/domain/money/card.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { BillingDocument } from '#shared/contract/money/documents.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { CardTable } from '#server/kit/db/tables/charge.table.ts';
import type {
  BillingDocumentTable,
  DocumentContent,
  Seller,
} from '#server/kit/db/tables/billing-document.table.ts';
import type { ChargeKey } from '../charges/charge.repository.ts';
import { goneOfCharge } from '../charges/refund.repository.ts';

/** A payment, and what documents of it say so far. */
export interface DocumentCase
  extends
    ChargeKey,
    Pick<CardTable, 'brand' | 'last_digits' | 'holder_name' | 'exp_month' | 'exp_year'> {
  amountCents: number;
  /** `goneOfCharge`, at most what was paid. */
  goneCents: number;
  /** The invoice's; null before there is one. */
  invoiceNumber: string | null;
  /** By credit notes, less what was taken back of them. */
  creditedCents: number;
  description: string;
  account: string | null;
  address: BillingAddress | null;
  taxId: string | null;
}

/** "INV-000012" */
export const documentNumber = (series: string, number: number): string =>
  `${series}-${String(number).padStart(6, '0')}`;

/** A payment of which there are documents; undefined: not paid, or from before there were any. */
export async function findDocumentCase(db: Db, key: ChargeKey): Promise<DocumentCase | undefined> {
  const { rows } = await sql<DocumentCase & { series: string | null; number: number | null }>`
    select c.workspace_id as "workspaceId", c.id as "chargeId", c.amount_cents as "amountCents",
      least(c.amount_cents, ${goneOfCharge})::int as "goneCents",
      own.series, own.number, coalesce(back.cents, 0)::int as "creditedCents",
      i.description, t.ig_username as account, card.billing_address as address,
      tax.tax_id as "taxId", card.brand, card.last_digits, card.holder_name, card.exp_month, card.exp_year
    from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    join card on card.workspace_id = c.workspace_id and card.id = c.card_id
    left join credits_transaction t on t.workspace_id = c.workspace_id and t.charge_id = c.id
    left join customer_tax_id tax on tax.workspace_id = c.workspace_id
    left join billing_document own on own.workspace_id = c.workspace_id
      and own.charge_id = c.id and own.kind = 'invoice'
    left join lateral (
      select sum(case kind when 'credit_note' then amount_cents else -amount_cents end) as cents
      from billing_document b where b.workspace_id = c.workspace_id and b.charge_id = c.id
        and b.kind <> 'invoice') back on true
    where c.workspace_id = ${key.workspaceId} and c.id = ${key.chargeId}
      and c.state = 'succeeded' and not c.is_before_invoices`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { series, number, ...found } = row;
  const invoiceNumber = series === null || number === null ? null : documentNumber(series, number);
  return { ...found, invoiceNumber };
}

interface Series {
  series: string;
  last: number;
}

/** Numbers of payments that move no real money; its row is always there. */
const TEST_SERIES = 'TEST';
/** "INV", then "INV2" ... */
const SERIES = 'INV';

/**
 * The numbers of a legal entity, held to the end of the transaction. It is known by its name or its tax id,
 * so that either may change. Undefined: of nobody real.
 */
export async function lockSeries(tx: Tx, seller: Seller | undefined): Promise<Series> {
  const found = await findSeries(tx, seller);
  if (found) return found;
  // One after the other: the second of a new entity finds what the first has begun.
  await findSeries(tx, undefined);
  const meanwhile = await findSeries(tx, seller);
  if (meanwhile) return meanwhile;
  const { rows } = await sql<Series>`
    insert into invoice_series (series, seller_name, seller_tax_id)
    select ${SERIES} || case when count(*) = 1 then '' else count(*)::text end,
      ${seller?.name ?? null}, ${seller?.taxId ?? null}
    from invoice_series returning series, last_number as last`.execute(tx);
  const [begun] = rows;
  if (!begun) throw new Error('No series was begun');
  return begun;
}

async function findSeries(tx: Tx, seller: Seller | undefined): Promise<Series | undefined> {
  const taxId = seller?.taxId ?? null;
  const { rows } = await sql<Series>`
    select series, last_number as last from invoice_series
    where ${
      seller
        ? sql`seller_tax_id = ${taxId} or seller_name = ${seller.name}`
        : sql`series = ${TEST_SERIES}`
    }
    order by seller_tax_id is distinct from ${taxId}, series limit 1 for update`.execute(tx);
  return rows[0];
}

/** So far its numbers are given away; the legal entity is called this now. */
export async function advanceSeries(
  tx: Tx,
  { series, last }: Series,
  seller: Seller | undefined,
): Promise<void> {
  await tx
    .updateTable('invoice_series')
    .set({
      last_number: last,
      ...(seller && { seller_name: seller.name }),
      ...(seller?.taxId !== undefined && { seller_tax_id: seller.taxId }),
    })
    .where('series', '=', series)
    .execute();
}

export async function insertDocument(
  tx: Tx,
  document: Omit<Insertable<BillingDocumentTable>, 'content'> & { content: DocumentContent },
): Promise<void> {
  const content = JSON.stringify(document.content);
  await tx
    .insertInto('billing_document')
    .values({ ...document, content })
    .execute();
}

/** A document with all it says. */
export interface StoredDocument extends Pick<BillingDocumentTable, 'id' | 'kind'> {
  number: string;
  amountCents: number;
  issuedAt: Date;
  content: DocumentContent;
}

export async function findDocument(
  db: Db,
  workspaceId: WorkspaceId,
  id: string,
): Promise<StoredDocument | undefined> {
  const row = await db
    .selectFrom('billing_document')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { kind, content } = row;
  const number = documentNumber(row.series, row.number);
  return { id, kind, number, amountCents: row.amount_cents, issuedAt: row.issued_at, content };
}

/** One page of a workspace's documents, newest first. */
export async function listDocuments(
  db: Db,
  workspaceId: WorkspaceId,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<BillingDocument[]> {
  const rows = await db
    .selectFrom('billing_document as b')
    .leftJoin('credits_transaction as t', (join) =>
      join.onRef('t.workspace_id', '=', 'b.workspace_id').onRef('t.charge_id', '=', 'b.charge_id'),
    )
    .select([
      'b.id',
      'b.series',
      'b.number',
      'b.kind',
      'b.amount_cents',
      'b.issued_at',
      'b.content',
    ])
    .select('t.id as transactionId')
    .where('b.workspace_id', '=', workspaceId)
    .$if(before !== undefined, (query) => query.where('b.id', '<', before ?? ''))
    .orderBy('b.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, series, number, kind, transactionId, ...row }) => ({
    id,
    number: documentNumber(series, number),
    kind,
    transactionId,
    description: row.content.description,
    amount: dollarsFromCents(row.amount_cents),
    issuedAt: row.issued_at.toISOString(),
  }));
}

/** Takes a deleted customer off their documents; what was issued and for how much stays. */
export async function anonymiseDocuments(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from customer_tax_id where workspace_id = ${workspaceId}`.execute(tx);
  await sql`update billing_document set content = content - '{buyer,account,paidWith}'::text[]
    where workspace_id = ${workspaceId}`.execute(tx);
}

export async function findTaxId(db: Db, workspaceId: WorkspaceId): Promise<string | null> {
  const row = await db
    .selectFrom('customer_tax_id')
    .select('tax_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.tax_id ?? null;
}

/** An empty one goes. */
export async function putTaxId(
  tx: Tx,
  { workspaceId, taxId, now }: { workspaceId: WorkspaceId; taxId: string; now: Date },
): Promise<void> {
  if (taxId === '') {
    await tx.deleteFrom('customer_tax_id').where('workspace_id', '=', workspaceId).execute();
    return;
  }
  const row = { tax_id: taxId, set_at: now };
  await tx
    .insertInto('customer_tax_id')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute();
}
