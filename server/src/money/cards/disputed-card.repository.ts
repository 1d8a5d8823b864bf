import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { CardBrand } from '#shared/domain/money/card.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { REVERSING_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';

/** What is kept of a card. */
export interface KeptCard {
  workspaceId: WorkspaceId;
  fingerprint: string | null;
  brand: CardBrand;
  last_digits: string;
  exp_month: number;
  exp_year: number;
}

/**
 * Keyed hash that is the same for one card, in every workspace. Where the gateway has no fingerprint, what
 * is kept of the card tells it from others of the same workspace.
 */
export function hashCard({ settings }: Pick<Deps, 'settings'>, card: KeptCard): string {
  const { fingerprint, workspaceId, brand, last_digits, exp_month, exp_year } = card;
  const named =
    fingerprint === null
      ? `${workspaceId}:${brand}:${last_digits}:${exp_month}:${exp_year}`
      : `fingerprint:${fingerprint}`;
  return createHmac('sha256', settings.appSecret)
    .update(`disputed-card:${named}`)
    .digest('base64url');
}

/**
 * Saved cards get the fingerprint that a dispute tells, so that the same card is known wherever it is entered: those
 * saved before we asked for one, and those that their bank has issued anew since, with their disputes. A deleted
 * customer's stays without.
 */
export async function learnFingerprint(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  card: KeptCard,
  fingerprint: string,
): Promise<void> {
  if (card.fingerprint === fingerprint) return;
  if (card.fingerprint !== null) {
    await tx
      .updateTable('card')
      .set({ fingerprint })
      .where('workspace_id', '=', card.workspaceId)
      .where('fingerprint', '=', card.fingerprint)
      .execute();
    await tx
      .updateTable('dispute')
      .set({ card_hash: hashCard(deps, { ...card, fingerprint }) })
      .where('workspace_id', '=', card.workspaceId)
      .where('card_hash', '=', hashCard(deps, card))
      .execute();
    return;
  }
  await tx
    .updateTable('card')
    .set({ fingerprint })
    .where('workspace_id', '=', card.workspaceId)
    .where('fingerprint', 'is', null)
    .where('payment_method_id', '<>', '')
    .where('brand', '=', card.brand)
    .where('last_digits', '=', card.last_digits)
    .where('exp_month', '=', card.exp_month)
    .where('exp_year', '=', card.exp_year)
    .execute();
}

/** Whether a payment with this card is disputed, or its bank has taken one back: then it buys nothing. */
export async function isCardDisputed(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  card: KeptCard,
): Promise<boolean> {
  const row = await db
    .selectFrom('dispute')
    .select('id')
    .where('card_hash', '=', hashCard(deps, card))
    .where('state', 'in', REVERSING_STATES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Holds cards until the end of the transaction, in every workspace: a dispute of one and the record of a payment with it
 * come one after the other. Taken behind the payment's row, and before a plan's or the workspace's.
 */
export async function holdCards(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  cards: readonly KeptCard[],
): Promise<void> {
  const hashes = new Set(cards.map((card) => hashCard(deps, card)));
  for (const hash of [...hashes].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 0))`.execute(tx);
  }
}

/** The same of payments, which don't wait for each other. */
async function holdPayingCard(tx: Tx, deps: Pick<Deps, 'settings'>, card: KeptCard): Promise<void> {
  const hash = hashCard(deps, card);
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${hash}, 0))`.execute(tx);
}

/** The same of the card of a payment that is being recorded: what is heard of it meanwhile waits, or counts. */
export async function isPayingCardDisputed(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  paid: KeptCard & { cardId: string },
): Promise<boolean> {
  await holdPayingCard(tx, deps, paid);
  // A dispute may have told its fingerprint since the payment was read.
  const card = await tx
    .selectFrom('card')
    .select(['fingerprint', 'brand', 'last_digits', 'exp_month', 'exp_year'])
    .where('workspace_id', '=', paid.workspaceId)
    .where('id', '=', paid.cardId)
    .executeTakeFirst();
  return isCardDisputed(tx, deps, { ...paid, ...card });
}

/** Whether a payment of the workspace is disputed: until it is decided no money goes back to it. */
export async function hasOpenDispute(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const row = await db
    .selectFrom('dispute')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'open')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
