import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { instant, uuid, wholeNumber } from '../fields.ts';

const DOCUMENT_KINDS = ['invoice', 'credit_note', 'reversal'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** As they are called on paper and on the screen. */
export const DOCUMENT_TITLES: Readonly<Record<DocumentKind, string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  reversal: 'Credit note reversal',
};

/** An invoice or credit note, as it is listed. */
export const BillingDocument = v.object({
  id: uuid,
  /** "INV-000012": without gaps within what stands before the hyphen. */
  number: v.string(),
  /** `reversal`: takes a credit note back, because the bank decided otherwise after all. */
  kind: v.picklist(DOCUMENT_KINDS),
  /** The line of the transaction history it belongs to; null for a payment that bought nothing. */
  transactionId: v.nullable(uuid),
  description: v.string(),
  /** Dollars, never negative. */
  amount: v.number(),
  issuedAt: instant,
});
export type BillingDocument = v.InferOutput<typeof BillingDocument>;

const PAGE_RULE = 'Please ask for 1 to 1,000 documents';

export const findDocuments = defineCall({
  method: 'POST',
  path: '/user/billingDocument/find',
  encoding: 'json',
  session: 'required',
  summary:
    'Invoices and credit notes, newest first (1,000, or `limit` up to 1,000, older than `before`), and the tax ID that later ones show.',
  input: v.object({
    userId: uuid,
    limit: v.optional(
      v.pipe(wholeNumber(PAGE_RULE), v.minValue(1, PAGE_RULE), v.maxValue(1000, PAGE_RULE)),
      1000,
    ),
    /** The document the page before ended with. */
    before: v.optional(uuid),
  }),
  data: v.object({ taxId: v.nullable(v.string()), documents: v.array(BillingDocument) }),
  errors: ['not_yours'],
});

export const downloadDocument = defineCall({
  method: 'POST',
  path: '/user/billingDocument/download',
  encoding: 'json',
  session: 'required',
  summary: 'An invoice or credit note as a PDF, in base64.',
  input: v.object({ userId: uuid, documentId: uuid }),
  data: v.object({ fileName: v.string(), pdf: v.string() }),
  errors: ['not_yours', 'not_found', 'rate_limited'],
});
