import type { CallParsed } from '#shared/contract/call.ts';
import type { CALLS } from '#shared/contract/calls.ts';
import { isCardExpired } from '#shared/domain/money/card.ts';
import { toLocal } from '#shared/domain/time-zone.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { CardDetails, DeclineCode, SavedCard } from '#server/adapters/stripe/card-gateway.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { customerGone } from '#server/identity/users/workspace-lock.repository.ts';
import { cardInvalid, paymentUnavailable } from '../charges/payment-error.ts';
import { CHECK_AGAIN_MS } from '../cards/card-detachment.repository.ts';
import { limitNewCards } from '../charges/card-limits.ts';
import {
  type ChargedCard,
  findCard,
  isOfAnotherAttempt,
  newCard,
  viewCard,
} from '../cards/card.repository.ts';
import {
  adoptCustomer,
  type CustomerRequestKey,
  endCustomerRequest,
  findGatewayCustomer,
  openCustomerRequest,
} from '../cards/gateway-customer.repository.ts';

/** A new card and its billing address, or what the gateway's own fields made of both. */
type EnteredCard = CallParsed<(typeof CALLS)['replaceBillingInfo']>;
type TypedCard = Extract<EnteredCard, { ccNum: string }>;
/** What a payment is made with: a new card, or the saved one as the customer was shown it. */
type MeansForm = (EnteredCard & { forAllPlans: boolean }) | { savedCard: string };

/**
 * The published test cards (D4). The product's own form takes no other number: a real card has no
 * business in this server’s memory.
 */
export const PUBLISHED_CARDS: ReadonlySet<string> = new Set([
  // These pay.
  '4242424242424242',
  '5555555555554444',
  '6011111111111117',
  '378282246310005',
  // Declined; insufficient funds; saves but later charges fail; times out after charging.
  '4000000000000002',
  '4000000000009995',
  '4000000000000341',
  '4000000000000119',
  // Their banks ask: unless set up before; always; always, and then have no funds; in person.
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000000000003220',
  // Pays, and is disputed later.
  '4000000000000259',
]);

type CheckDeps = Pick<Deps, 'clock' | 'settings'>;

/** A saved card has been checked, and its bank knows best. */
export function checkMeans(deps: CheckDeps, means: MeansForm, timeZone: string): void {
  if (!('savedCard' in means)) checkCard(deps, means, timeZone);
}

/**
 * A card's month ends where the customer is; of a token the gateway knows.
 * @throws ApiError `card_invalid`: over, or not one of the test cards; `invalid_input`: a token where cards
 * are entered in the product's own form
 */
export function checkCard(
  { clock, settings }: CheckDeps,
  card: EnteredCard,
  timeZone: string,
): void {
  if ('confirmationToken' in card) {
    if (settings.cardEntry.way === 'gateway') return;
    throw new ApiError('invalid_input', 'Please reload the page and enter the card again.');
  }
  const { ccNum, ccMonth, ccYear } = card;
  const nowMs = clock.now();
  if (isCardExpired({ month: ccMonth, year: ccYear }, toLocal(nowMs, timeZone))) {
    throw cardInvalid({ ccMonth: 'The selected date must be in the future.' });
  }
  if (!PUBLISHED_CARDS.has(ccNum)) throw cardInvalid({ ccNum: 'Card number is invalid' });
}

type ChooseDeps = SaveCardDeps & Pick<Deps, 'ids'>;

/**
 * The card that a checkout charges: the saved one, or a new one that the gateway has taken (D4).
 * @throws ApiError `not_found`: another card is saved by now, or none; as `saveCard`
 */
export async function chooseCard(
  deps: ChooseDeps,
  owner: CardOwner,
  means: MeansForm,
): Promise<{ kind: 'chosen'; card: ChargedCard } | { kind: 'declined'; code: DeclineCode }> {
  if ('savedCard' in means) {
    const card = await findCard(deps.database.db, owner.workspaceId);
    if (!card || viewCard(card).ccNum !== means.savedCard) throw cardReplaced();
    return { kind: 'chosen', card: { kind: 'saved', id: card.id } };
  }
  const saved = await saveCard(deps, owner, means);
  if (saved.kind === 'declined') return saved;
  const row = newCard(deps.ids.uuid(), saved.card, new Date(deps.clock.now()));
  return { kind: 'chosen', card: { kind: 'new', row, isForAllPlans: means.forAllPlans } };
}

function cardReplaced(): ApiError {
  return new ApiError(
    'not_found',
    'This is no longer your saved card. You were not charged. Please reload the page and choose a card.',
  );
}

type SaveCardDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log' | 'settings'>;

type SaveCardOutcome = { kind: 'saved'; card: SavedCard } | { kind: 'declined'; code: DeclineCode };

/** Who saves a card; the attempt's id makes the gateway keys, so that a repeat saves the same one. */
export interface CardOwner {
  workspaceId: WorkspaceId;
  userId: string;
  attemptId: string;
}

/**
 * Hands the card to the gateway, or takes the one it has. Number and CVV go no further than this call.
 * @throws ApiError `payment_unavailable`: nothing was charged, or too many cards were entered today; `card_invalid`: a token that can't be used;
 * `session_ended`
 */
export async function saveCard(
  deps: SaveCardDeps,
  owner: CardOwner,
  form: EnteredCard,
): Promise<SaveCardOutcome> {
  const token = 'confirmationToken' in form ? form.confirmationToken : undefined;
  // The gateway takes it once more, being this customer's: a colleague's card would pay what they didn't enter it for.
  if (token !== undefined && (await isOfAnotherAttempt(deps.database.db, owner, token))) {
    throw await refuseToken(deps, owner);
  }
  await limitNewCards(deps, owner);
  const customerId = await ensureCustomer(deps, owner);
  const card = 'confirmationToken' in form ? { token: form.confirmationToken } : cardDetails(form);
  const answer = await deps.gateway.saveCard({ key: `${owner.attemptId}:card`, customerId, card });
  if (token !== undefined && answer.kind === 'declined' && answer.code === 'card_invalid') {
    throw await refuseToken(deps, owner);
  }
  switch (answer.kind) {
    case 'done': {
      const { kind: _, ...card } = answer;
      return { kind: 'saved', card };
    }
    case 'declined':
      return answer;
    case 'unknown':
    case 'rejected':
      break;
  }
  deps.log.error('card not saved', { workspaceId: owner.workspaceId, reason: answer.reason });
  throw paymentUnavailable();
}

function cardDetails(form: TypedCard): CardDetails {
  return {
    number: form.ccNum,
    month: form.ccMonth,
    year: form.ccYear,
    cvv: form.cvv,
    name: form.ccName,
    phone: form.phone,
    address: {
      line1: form.address,
      line2: form.apartment,
      city: form.city,
      state: form.state,
      zip: form.zip,
      country: form.country,
    },
  };
}

/** Somebody else's, used before, too old, or made up. */
async function refuseToken(
  { clock, database }: SaveCardDeps,
  { workspaceId, userId: actor, attemptId: subject }: CardOwner,
): Promise<ApiError> {
  const now = new Date(clock.now());
  await database.transaction((tx) =>
    appendAudit(tx, { workspaceId, actor, action: 'card_token_refused', subject, now }),
  );
  return new ApiError('card_invalid', 'Please enter the card again.');
}

/** @throws ApiError `payment_unavailable`, `session_ended` */
export async function ensureCustomer(
  deps: SaveCardDeps,
  { workspaceId, userId, attemptId }: CardOwner,
): Promise<string> {
  const { clock, database, gateway, log } = deps;
  const known = await findGatewayCustomer(database.db, workspaceId);
  if (known !== undefined) return known;
  const user = await findUser(database.db, { workspaceId, userId });
  if (!user) throw customerGone();
  const { email } = user;
  const request = { workspace_id: workspaceId, key: `${attemptId}:customer` };
  const now = new Date(clock.now());
  const next_attempt_at = new Date(now.getTime() + CHECK_AGAIN_MS);
  await openCustomerRequest(database.db, { ...request, email, asked_at: now, next_attempt_at });
  const answer = await gateway.createCustomer({ key: request.key, email, workspaceId });
  if (answer.kind !== 'done') {
    // Without an answer there may be one, which is looked for later.
    if (answer.kind !== 'unknown') await endCustomerRequest(database.db, request);
    log.error('gateway customer not made', {
      workspaceId,
      reason: answer.kind === 'declined' ? answer.code : answer.reason,
    });
    throw paymentUnavailable();
  }
  return keepCustomer(deps, request, answer.customerId);
}

/** Keeps a customer just made; the gateway is told to forget one that is not wanted after all. */
async function keepCustomer(
  { database, gateway, log }: SaveCardDeps,
  request: CustomerRequestKey,
  customerId: string,
): Promise<string> {
  const { workspace_id: workspaceId } = request;
  const isKept = await database.transaction((tx) => adoptCustomer(tx, workspaceId, customerId));
  const isTold = isKept || (await gateway.deleteCustomer({ customerId })).kind === 'done';
  if (isTold) await endCustomerRequest(database.db, request);
  // With the request, which stays, it is found and deleted later.
  else log.warn('second gateway customer not deleted', { workspaceId });
  const kept = await findGatewayCustomer(database.db, workspaceId);
  if (kept === undefined) throw customerGone();
  return kept;
}
