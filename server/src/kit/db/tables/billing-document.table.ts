import type { JSONColumnType } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { DocumentKind } from '#shared/contract/money/documents.ts';

/** The numbers of one legal entity. */
export interface InvoiceSeriesTable {
  /** What its numbers begin with: "INV". */
  series: string;
  /** Null: of documents nobody pays real money for. */
  seller_name: string | null;
  seller_tax_id: string | null;
  last_number: number;
}

export interface Seller {
  name: string;
  address?: string;
  taxId?: string;
}

export interface Buyer {
  name: string;
  /** The billing address of the card, in lines. */
  address: string[];
  taxId?: string;
}

/** What a document says, as it was on the day it was issued. */
export interface DocumentContent {
  /** Missing where nobody is named. */
  seller?: Seller;
  /** Missing once the customer has been deleted; so are `account` and `paidWith`. */
  buyer?: Buyer;
  description: string;
  /** The connected account it is for, without the @. */
  account?: string;
  /** The card, masked. */
  paidWith?: string;
  /** Of credit notes: the invoice, and of reversals the same. */
  ofNumber?: string;
  /** Why money went back. */
  reason?: 'refund' | 'dispute' | 'dispute_won';
  /** No real money was paid. */
  isTest?: boolean;
  /** The operator's own line at the end. */
  note?: string;
}

/**
 * An invoice or credit note. Never changed, but for a deletion, which takes the customer off it.
 * A `reversal` undoes a credit note when a lost dispute is won after all.
 */
export interface BillingDocumentTable {
  workspace_id: WorkspaceId;
  id: string;
  series: string;
  /** Within the series, without gaps, from 1. */
  number: number;
  kind: DocumentKind;
  charge_id: string;
  amount_cents: number;
  issued_at: Date;
  content: JSONColumnType<DocumentContent>;
}

export interface CustomerTaxIdTable {
  workspace_id: WorkspaceId;
  tax_id: string;
  set_at: Date;
}
