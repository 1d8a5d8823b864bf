import type { SavedCard } from '#server/adapters/stripe/card-gateway.ts';
import type { BankDecline } from '#server/kit/db/tables/charge.table.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { CARD_BRAND_NAMES } from '#shared/domain/money/card.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { listOwners } from '#server/identity/members/membership.repository.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { ageMs, CONFIRM_WITHIN_MS, nextPollAt, pageClosesAt } from '../charges/charge-clock.ts';
import type { CollectDeps } from '../charges/charge-clock.ts';
import { returnUrlOf } from '../settlement/ask-bank.ts';
import {
  type CardSetupKey,
  type CardSetupRow,
  changeCardSetup,
  findCardSetup,
  lockCardSetup,
} from '../cards/card-setup.repository.ts';
import { insertCard, newCard } from '../cards/card.repository.ts';
import { isCardDisputed } from '../cards/disputed-card.repository.ts';
import { findGatewayCustomer } from '../cards/gateway-customer.repository.ts';

/*
 * A card that becomes the saved one without a charge. It was entered with us or in the gateway's fields, or is
 * entered on a page of the gateway's.
 *
 *   sent ──┬─ yes ──> succeeded: it is the saved card
 *          ├─ no ───> declined
 *          ├─ answer lost: asked again under its key
 *          └─ the bank, or the page, waits ──> needs_action ──┬─ yes ──> succeeded
 *                                                             └─ refused, given up, an hour over:
 *                                                                canceled at the gateway ──> declined
 *
 * - The row is written before the gateway is asked, under the attempt's id, which is the card's too.
 * - No money moves, so nobody holds a claim: asked twice at once, the gateway gives one answer to one key, and
 *   the first one stored stays.
 */

/** Where a set-up stands for the customer. */
export type SetUpSettlement =
  | { kind: 'saved' }
  /** Without a code: the gateway can't be used. */
  | { kind: 'declined'; code: BankDecline | null }
  | { kind: 'needs_action'; setUp: CardSetupRow }
  | { kind: 'open' };

/** What the gateway says of it. */
type Verdict =
  | { kind: 'done'; card: SavedCard; gatewaySetUpId: string }
  | { kind: 'declined'; code: BankDecline | null }
  | { kind: 'needs_action'; gatewaySetUpId: string; url: string }
  | { kind: 'unknown'; reason: string };

/**
 * Goes on with a set-up: the same for the customer's request, a repeat of it, and the janitor.
 * @param giveUp the customer doesn't want it any more
 */
export async function advanceSetUp(
  deps: CollectDeps,
  key: CardSetupKey,
  giveUp?: 'given_up',
): Promise<SetUpSettlement> {
  const row = await findCardSetup(deps.database.db, key);
  if (!row) return { kind: 'open' };
  switch (row.state) {
    case 'succeeded':
      return { kind: 'saved' };
    case 'declined':
      return { kind: 'declined', code: row.decline_code };
    case 'sent':
      return store(deps, row, await ask(deps, row));
    case 'needs_action':
      break;
  }
  return store(deps, row, await readAtGateway(deps, row, giveUp));
}

const begunOf = ({ created_at: createdAt }: CardSetupRow) => ({ createdAt });
const isOver = (deps: CollectDeps, row: CardSetupRow): boolean =>
  ageMs(deps, begunOf(row)) >= CONFIRM_WITHIN_MS;

async function ask(deps: CollectDeps, row: CardSetupRow): Promise<Verdict> {
  const { workspace_id: workspaceId, id: setUpId, payment_method_id: paymentMethodId } = row;
  const { db } = deps.database;
  const customerId = await findGatewayCustomer(db, workspaceId);
  // A yes that comes after this leaves a card at the gateway which nobody here knows, until its customer goes.
  if (isOver(deps, row) || customerId === undefined) {
    return { kind: 'declined', code: 'not_confirmed_in_time' };
  }
  const request = {
    key: `${setUpId}:set-up`,
    setUpId,
    customerId,
    returnUrl: returnUrlOf(deps.settings, setUpId),
  };
  if (paymentMethodId === null) {
    const { asked_by: userId } = row;
    const user = userId === null ? undefined : await findUser(db, { workspaceId, userId });
    if (!user) return { kind: 'declined', code: 'not_confirmed_in_time' };
    const closesAt = pageClosesAt(begunOf(row));
    const opened = await deps.gateway.openCardPage({ ...request, closesAt, note: noteFor(user) });
    if (opened.kind === 'done') return { ...opened, kind: 'needs_action' };
    return opened.kind === 'rejected' ? rejected(deps, row, opened.reason) : opened;
  }
  const answer = await deps.gateway.setUpCard({ ...request, paymentMethodId });
  return answer.kind === 'rejected' ? rejected(deps, row, answer.reason) : answer;
}

/** For whoever is sent the page's address by somebody else. */
function noteFor({ email }: { email: string }): string {
  const masked = `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
  return `Your card will be saved in the ${PRODUCT_NAME} account of ${masked} and will pay for its plans. If this isn’t your account, don’t enter your card.`;
}

/** An operator must act. */
function rejected({ log }: CollectDeps, { id }: CardSetupRow, reason: string): Verdict {
  log.error('card set-up rejected', { setUpId: id, reason });
  return { kind: 'declined', code: null };
}

/** The gateway's word is a fact, whoever brings it; a no counts once the gateway has canceled it. */
async function readAtGateway(
  deps: CollectDeps,
  row: CardSetupRow,
  giveUp: 'given_up' | undefined,
): Promise<Verdict> {
  const { gateway_setup_id: gatewaySetUpId } = row;
  if (gatewaySetUpId === null) throw new Error(`Set-up ${row.id} waits for nothing`);
  let found = await deps.gateway.findSetUp({ gatewaySetUpId });
  if (found.kind === 'unknown') return found;
  const over = isOver(deps, row) ? 'not_confirmed_in_time' : undefined;
  const no =
    found.state === 'declined'
      ? found.code
      : found.state === 'needs_action'
        ? (giveUp ?? over)
        : undefined;
  if (no !== undefined) {
    const canceled = await deps.gateway.cancelSetUp({ gatewaySetUpId });
    if (canceled.kind === 'done') return { kind: 'declined', code: no };
    if (canceled.kind === 'unknown') return canceled;
    found = await deps.gateway.findSetUp({ gatewaySetUpId });
    if (found.kind === 'unknown') return found;
  }
  switch (found.state) {
    case 'succeeded':
      return { kind: 'done', gatewaySetUpId, card: found.card };
    case 'needs_action':
      return { kind: 'needs_action', gatewaySetUpId, url: found.url };
    case 'declined':
    case 'pending':
      break;
  }
  return { kind: 'unknown', reason: found.state };
}

async function store(
  deps: CollectDeps,
  row: CardSetupRow,
  verdict: Verdict,
): Promise<SetUpSettlement> {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const next_check_at = nextPollAt(deps, begunOf(row));
  switch (verdict.kind) {
    case 'done':
      return saveAsTheCard(deps, row, verdict, now);
    case 'needs_action': {
      const asked = {
        state: 'needs_action',
        gateway_setup_id: verdict.gatewaySetUpId,
        action_url: verdict.url,
        next_check_at,
      } as const;
      await changeCardSetup(db, row, asked);
      return { kind: 'needs_action', setUp: { ...row, ...asked } };
    }
    case 'declined': {
      const { code: decline_code } = verdict;
      const settled = { settled_at: now, next_check_at: null, action_url: null };
      await changeCardSetup(db, row, { state: 'declined', decline_code, ...settled });
      return { kind: 'declined', code: decline_code };
    }
    case 'unknown':
      break;
  }
  deps.log.warn('card set-up undecided', { setUpId: row.id, reason: verdict.reason });
  await changeCardSetup(db, row, { next_check_at });
  return { kind: 'open' };
}

/** A disputed card isn't taken. With its customer a set-up is gone, too. */
function saveAsTheCard(
  deps: CollectDeps,
  { workspace_id: workspaceId, id: setUpId }: CardSetupRow,
  { card: saved, gatewaySetUpId }: Extract<Verdict, { kind: 'done' }>,
  now: Date,
): Promise<SetUpSettlement> {
  return deps.database.transaction(async (tx): Promise<SetUpSettlement> => {
    await keepWorkspace(tx, workspaceId);
    const row = await lockCardSetup(tx, { workspaceId, setUpId });
    if (row?.state === 'succeeded') return { kind: 'saved' };
    if (!row || row.state === 'declined') {
      return { kind: 'declined', code: row?.decline_code ?? null };
    }
    const settled = {
      gateway_setup_id: gatewaySetUpId,
      settled_at: now,
      next_check_at: null,
      action_url: null,
    };
    const card = { ...newCard(setUpId, saved, now), workspace_id: workspaceId };
    if (await isCardDisputed(tx, deps, { ...card, workspaceId })) {
      const code = 'card_disputed';
      await changeCardSetup(tx, row, { ...settled, state: 'declined', decline_code: code });
      return { kind: 'declined', code };
    }
    await insertCard(tx, { ...card, in_use_since: now });
    await changeCardSetup(tx, row, { ...settled, state: 'succeeded' });
    const brand = CARD_BRAND_NAMES[saved.brand];
    const lastDigits = saved.lastDigits.slice(-3);
    for (const userId of await listOwners(tx, workspaceId)) {
      const payload = { kind: 'card_replaced', userId, brand, lastDigits } as const;
      await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    }
    const actor = row.asked_by ?? 'system';
    await appendAudit(tx, { workspaceId, actor, action: 'card_replaced', subject: setUpId, now });
    return { kind: 'saved' };
  });
}
