import { type BillingAddress, CARD_BRAND_NAMES } from '#shared/domain/money/card.ts';
import { COUNTRIES } from '#shared/domain/money/countries.ts';
import type { DocumentKind } from '#shared/contract/money/documents.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type {
  Buyer,
  DocumentContent,
  Seller,
} from '#server/kit/db/tables/billing-document.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Settings } from '#server/kit/settings.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { viewCard } from '../cards/card.repository.ts';
import type { ChargeKey } from '../charges/charge.repository.ts';
import {
  advanceSeries,
  type DocumentCase,
  documentNumber,
  findDocumentCase,
  insertDocument,
  lockSeries,
} from './billing-document.repository.ts';

/*
 * The documents of a payment:
 *
 *   paid ──> invoice ──┬─ money went back ───> credit note ──┬─ more went back ──> credit note
 *                      │                                     └─ the bank decides otherwise ──> reversal
 *                      └─ a bank took it ────> credit note
 *
 * - A document is issued in the transaction that learns of the money, as its last step: the legal entity's
 *   series is held to the commit. So its numbers are 1, 2, 3 ... in the order of the commits, without gaps
 *   (I13), whatever is rolled back.
 * - A payment has one invoice, of what was paid. Credit notes add up to what has gone back, never more than
 *   the invoice. What was to go back and came back to us is still owed, so its credit note stands.
 * - What a document says is written down when it is issued, and never changes. A deletion takes the customer off it.
 * - Of payments from before there were invoices there are none, and no credit notes.
 */

type IssueDeps = Pick<Deps, 'ids' | 'settings'>;

/** Why money went back. `dispute_won`: it didn't after all. */
type ReturnReason = NonNullable<DocumentContent['reason']>;

interface Due {
  kind: DocumentKind;
  amountCents: number;
}

/**
 * Issues what a payment's documents lack. Call it last in the transaction that changed the payment: whoever
 * else is paid waits from here to its commit.
 */
export async function issueDocuments(
  tx: Tx,
  deps: IssueDeps,
  key: ChargeKey,
  { reason, now }: { reason: ReturnReason; now: Date },
): Promise<void> {
  const before = await findDocumentCase(tx, key);
  if (!before || dueDocuments(before, reason).length === 0) return;
  // A deletion under way takes the customer off what was issued before it, or off their card before this.
  await keepWorkspace(tx, key.workspaceId);
  const entity = deps.settings.isLiveGateway ? sellerOf(deps.settings) : undefined;
  const series = await lockSeries(tx, entity);
  // Behind the lock it sees what was issued of this payment meanwhile.
  const paid = await findDocumentCase(tx, key);
  if (!paid) return;
  let { last } = series;
  let ofNumber = paid.invoiceNumber ?? undefined;
  for (const { kind, amountCents } of dueDocuments(paid, reason)) {
    last += 1;
    ofNumber ??= documentNumber(series.series, last);
    const content = {
      ...contentOf(paid, deps.settings),
      ...(!entity && { isTest: true }),
      ...(kind !== 'invoice' && { ofNumber, reason }),
    };
    await insertDocument(tx, {
      workspace_id: paid.workspaceId,
      id: deps.ids.uuid(),
      series: series.series,
      number: last,
      kind,
      charge_id: paid.chargeId,
      amount_cents: amountCents,
      issued_at: now,
      content,
    });
  }
  await advanceSeries(tx, { ...series, last }, entity);
}

function dueDocuments(paid: DocumentCase, reason: ReturnReason): Due[] {
  const { amountCents, goneCents, creditedCents, invoiceNumber } = paid;
  const due: Due[] = invoiceNumber === null ? [{ kind: 'invoice', amountCents }] : [];
  if (goneCents > creditedCents) {
    due.push({ kind: 'credit_note', amountCents: goneCents - creditedCents });
  }
  if (goneCents < creditedCents && reason === 'dispute_won') {
    due.push({ kind: 'reversal', amountCents: creditedCents - goneCents });
  }
  return due;
}

function sellerOf({ operatorIdentity }: Settings): Seller | undefined {
  if (!operatorIdentity) return undefined;
  const { name, address, taxId } = operatorIdentity;
  return { name, ...(address !== undefined && { address }), ...(taxId !== undefined && { taxId }) };
}

function contentOf(paid: DocumentCase, settings: Settings): DocumentContent {
  const { description, account } = paid;
  const { invoiceNote } = settings;
  const seller = sellerOf(settings);
  return {
    description,
    ...(seller && { seller }),
    ...(invoiceNote !== undefined && { note: invoiceNote }),
    // A deleted customer's card has no digits; a name that our form wouldn't take isn't kept of any.
    ...(paid.last_digits !== '' && {
      buyer: buyerOf(paid),
      paidWith: `${CARD_BRAND_NAMES[paid.brand]} ${viewCard(paid).ccNum}`,
      ...(account !== null && { account }),
    }),
  };
}

function buyerOf({ holder_name: name, address, taxId }: DocumentCase): Buyer {
  return {
    name,
    address: address ? addressLines(address) : [],
    ...(taxId !== null && { taxId }),
  };
}

function addressLines({ line1, line2, city, state, zip, country }: BillingAddress): string[] {
  const name = COUNTRIES.find(([code]) => code === country)?.[1] ?? country;
  // The gateway's own page asks for what its country needs, which may be less than our form.
  const region = [state, zip].filter((part) => part !== '').join(' ');
  const place = [city, region].filter((part) => part !== '').join(', ');
  return [line1, line2, place, name].filter((line) => line !== '');
}
