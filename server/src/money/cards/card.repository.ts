import { type Insertable, type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import { cardAndAddress } from '#shared/contract/money/checkout.ts';
import type { BillingAddress } from '#shared/domain/money/card.ts';
import { isPlainLine } from '#shared/domain/words/plain-line.ts';
import type { BillingInfo } from '#shared/contract/people/user.ts';
import { maskCardNumber } from '#shared/domain/money/card.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { SavedCard } from '#server/adapters/stripe/card-gateway.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { CardTable } from '#server/kit/db/tables/charge.table.ts';

const AMEX_DIGITS = 15;

type CardRow = Selectable<CardTable>;

/** The saved card of a workspace: the one that most recently began to pay. */
export function findCard(db: Db, workspaceId: WorkspaceId): Promise<CardRow | undefined> {
  return db
    .selectFrom('card')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('in_use_since', 'is not', null)
    .orderBy('in_use_since', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type NewCard = Omit<Insertable<CardTable>, 'fingerprint' | 'workspace_id' | 'in_use_since'> & {
  fingerprint: string | null;
};

/** A card that is saved, or a new one; then whether it is to pay for all plans once it has paid. */
export type ChargedCard =
  | { kind: 'saved'; id: string }
  | { kind: 'new'; row: NewCard; isForAllPlans: boolean };

/** The row of a card as the gateway has it; nothing with as many digits as a card's number is kept. */
export function newCard(id: string, saved: SavedCard, now: Date): NewCard {
  return {
    id,
    payment_method_id: saved.paymentMethodId,
    brand: saved.brand,
    last_digits: saved.lastDigits,
    fingerprint: saved.fingerprint ?? null,
    holder_name: keptName(saved.holderName),
    exp_month: saved.month,
    exp_year: saved.year,
    billing_address: JSON.stringify(keptAddress(saved.address)),
    created_at: now,
  };
}

const CARD_LIKE = /\p{Nd}(?:\P{Nd}{0,3}\p{Nd}){12}/u;

/** Other forms take what ours wouldn't ("Studio 9"): of that what can be printed. */
function keptName(name: string): string {
  const typed = v.safeParse(cardAndAddress.ccName, name);
  if (typed.success) return typed.output;
  const printable = name.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '').trim();
  return CARD_LIKE.test(printable) ? '' : Array.from(printable).slice(0, 100).join('').trim();
}

function keptAddress(address: BillingAddress): BillingAddress {
  const kept = (text: string): string => {
    const line = text.trim().slice(0, 200);
    return isPlainLine(line) && !CARD_LIKE.test(line) ? line : '';
  };
  return {
    line1: kept(address.line1),
    line2: kept(address.line2),
    city: kept(address.city),
    state: kept(address.state),
    zip: kept(address.zip),
    country: kept(address.country),
  };
}

/** Whether a payment method came here with another attempt than this one; its runs may be several at once. */
export async function isOfAnotherAttempt(
  db: Db,
  { workspaceId, attemptId }: { workspaceId: WorkspaceId; attemptId: string },
  paymentMethodId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isKept: boolean }>`
    select not exists (select from charge where workspace_id = ${workspaceId} and id = ${attemptId})
      and (exists (select from card where workspace_id = ${workspaceId} and id <> ${attemptId}
          and payment_method_id = ${paymentMethodId})
        or exists (select from card_setup where workspace_id = ${workspaceId} and id <> ${attemptId}
          and payment_method_id = ${paymentMethodId})) as "isKept"`.execute(db);
  return rows[0]?.isKept === true;
}

/** Writes a card; one that is in use pays for all plans. A repeat of the attempt finds its own. */
export async function insertCard(
  tx: Tx,
  card: NewCard & { workspace_id: WorkspaceId; in_use_since: Date | null },
): Promise<void> {
  await tx
    .insertInto('card')
    .values(card)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A saved card as customers see it: the number masked but for its last 3 digits. */
export function viewCard(
  card: Pick<CardRow, 'brand' | 'last_digits' | 'holder_name' | 'exp_month' | 'exp_year'>,
): BillingInfo {
  return {
    ccNum:
      card.brand === 'amex'
        ? maskCardNumber(card.last_digits, AMEX_DIGITS)
        : maskCardNumber(card.last_digits),
    ccName: card.holder_name,
    ccMonth: String(card.exp_month).padStart(2, '0'),
    ccYear: String(card.exp_year),
  };
}
