import { DOCUMENT_TITLES, type DocumentKind } from '#shared/contract/money/documents.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { UNNAMED_OPERATOR } from '#shared/domain/people/operator.ts';
import { isPrintable } from '#shared/domain/words/printed-letters.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import {
  type Cell,
  createTaggedPdf,
  PAGE,
  type TaggedPdf,
  TEXT_WIDTH,
} from '#server/kit/pdf/tagged-pdf.ts';
import type { DocumentContent } from '#server/kit/db/tables/billing-document.table.ts';
import type { StoredDocument } from './billing-document.repository.ts';

const SOFT = '#6b5f55';
const BRAND = '#7a1f2b';
const { margin } = PAGE;
const HALF = TEXT_WIDTH / 2 - 12;
const BODY = { size: 10 } as const;
const SMALL = { size: 9, color: SOFT } as const;

/** A document as one page. It is made of what was written down alone: the same document, the same bytes. */
export async function drawDocument(document: StoredDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { kind, number, issuedAt, content } = document;
  const pdf = createTaggedPdf({ title: `${DOCUMENT_TITLES[kind]} ${number}`, at: issuedAt });
  const whole = { x: margin, width: TEXT_WIDTH };
  let y = pdf.write(
    'P',
    PRODUCT_NAME,
    { ...whole, y: margin },
    { size: 11, weight: 600, color: BRAND },
  );
  y = pdf.write('H1', DOCUMENT_TITLES[kind], { ...whole, y: y + 6 }, { size: 26, weight: 600 });
  y = pdf.table(factsOf(document), y + 10);
  pdf.rule(y + 14);
  y = writeParties(pdf, content, y + 30);
  pdf.rule(y + 16);
  y = pdf.table(linesOf(document), y + 28, 6);
  pdf.rule(y + 4);
  y = pdf.write('P', amountSentence(document), { ...whole, y: y + 16 }, SMALL);
  for (const line of closingOf(content)) y = pdf.write('P', line, { ...whole, y: y + 4 }, SMALL);
  return pdf.end();
}

/** Label and value, a row each. */
function factsOf({ kind, number, issuedAt, content }: StoredDocument): Cell[][] {
  const facts: Array<readonly [label: string, value: string | undefined]> = [
    ['Number', number],
    ['Date', dateOf(issuedAt)],
    ['For invoice', content.ofNumber],
    [kind === 'credit_note' ? 'Refunded to' : 'Paid with', content.paidWith],
  ];
  return facts.flatMap(([label, value]) =>
    value === undefined
      ? []
      : [
          [
            { text: label, x: margin, width: 100, heads: 'Row' as const, ...BODY, color: SOFT },
            { text: value, x: margin + 104, width: TEXT_WIDTH - 104, ...BODY },
          ],
        ],
  );
}

const dateOf = (at: Date): string =>
  at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Who sells and who pays, side by side. */
function writeParties(pdf: TaggedPdf, { seller, buyer }: DocumentContent, y: number): number {
  const left = seller
    ? linesOfParty(seller.name, [seller.address], seller.taxId)
    : linesOfParty(UNNAMED_OPERATOR, []);
  const right = buyer
    ? linesOfParty(buyer.name, buyer.address, buyer.taxId)
    : linesOfParty('Deleted customer', []);
  const below = [
    writeParty(pdf, 'From', left, { x: margin, y }),
    writeParty(pdf, 'Billed to', right, { x: margin + TEXT_WIDTH - HALF, y }),
  ];
  return Math.max(...below);
}

/** `shown` is what is printed; screen readers read the words themselves. */
interface PartyLine {
  text: string;
  shown: string;
}

/** Who somebody is, in lines. What has letters that the font lacks is named instead of being printed in part. */
export function linesOfParty(
  name: string,
  address: ReadonlyArray<string | undefined>,
  taxId?: string,
): PartyLine[] {
  const known = address.filter((line) => line !== undefined && line !== '') as string[];
  const unprinted = known.filter((line) => !isPrintable(line));
  return [
    { text: name, shown: isPrintable(name) ? name : 'Name in letters not printed here' },
    ...known.filter(isPrintable).map((line) => ({ text: line, shown: line })),
    ...(unprinted.length > 0
      ? [{ text: unprinted.join(', '), shown: 'Address in letters not printed here' }]
      : []),
    ...(taxId === undefined ? [] : [{ text: `Tax ID ${taxId}`, shown: `Tax ID ${taxId}` }]),
  ].filter(({ text }) => text !== '');
}

function writeParty(
  pdf: TaggedPdf,
  title: string,
  lines: readonly PartyLine[],
  at: { x: number; y: number },
): number {
  const box = { x: at.x, width: HALF };
  let y = pdf.write('H2', title, { ...box, y: at.y }, { ...SMALL, weight: 600 }) + 2;
  for (const { text, shown } of lines) y = pdf.write('P', text, { ...box, y }, BODY, shown);
  return y;
}

const AMOUNT = 120;

function linesOf({ kind, amountCents, content }: StoredDocument): Cell[][] {
  const { description, account } = content;
  const row = (
    what: Partial<Cell> & { text: string },
    amount: Partial<Cell> & { text: string },
  ) => [
    { x: margin, width: TEXT_WIDTH - AMOUNT - 12, ...BODY, ...what },
    { x: margin + TEXT_WIDTH - AMOUNT, width: AMOUNT, align: 'right' as const, ...BODY, ...amount },
  ];
  const head = { size: 9, weight: 600, color: SOFT, heads: 'Column' } as const;
  const sum = { size: 12, weight: 600 } as const;
  const amount = formatCents(amountCents);
  return [
    row({ ...head, text: 'Description' }, { ...head, text: 'Amount' }),
    row(
      { text: account === undefined ? description : `${description}\n@${account}` },
      { text: amount },
    ),
    row({ ...sum, heads: 'Row', text: TOTALS[kind] }, { ...sum, text: amount }),
  ];
}

const TOTALS: Readonly<Record<DocumentKind, string>> = {
  invoice: 'Total paid',
  credit_note: 'Total refunded',
  reversal: 'Total',
};

function amountSentence({ content }: StoredDocument): string {
  switch (content.reason) {
    case 'refund':
      return 'All amounts are in US dollars. This amount of the invoice was refunded.';
    case 'dispute':
      return 'All amounts are in US dollars. The bank returned this amount of the invoice after a dispute.';
    case 'dispute_won':
      return 'All amounts are in US dollars. The bank has decided that this amount stays paid. The credit note for it no longer holds.';
    case undefined:
      break;
  }
  return 'All amounts are in US dollars. Paid in full.';
}

function closingOf({ isTest, note, seller, buyer }: DocumentContent): string[] {
  const parties = [seller, buyer].filter((party) => party !== undefined);
  const texts = parties.flatMap(({ name, address = [] }) => [name, address].flat());
  return [
    ...(texts.every(isPrintable) ? [] : [OTHER_LETTERS]),
    ...(note === undefined ? [] : [note]),
    ...(isTest ? ['This is a test document: no real money was paid.'] : []),
  ];
}

const OTHER_LETTERS =
  'Names and addresses are printed in Latin, Greek or Cyrillic letters. Screen readers read out those in other letters.';
