import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  type Posting,
  postGain,
  postSpend,
  postTakeBack,
  removeBonus,
} from './ledger.repository.ts';

/*
 * Credits come and go in these ways only. Each is one ledger transaction whose key says what it means,
 * so the second one of the same meaning violates `ledger_key_is_once` and takes its transaction with it.
 *
 *   bonus ──┐                ┌─ hold ──> held ─ settle ──> spent
 *   packs ──┼──> credits ────┤             └───────────> credits   (the undelivered rest)
 *   shortfalls ─┘            └─ refunds, corrections, money backs, disputes   (refunds: packs whose money went back)
 */

type LedgerDeps = Pick<Deps, 'ids'>;

/** Gives sign-up credits (D8); they can be spent after a first payment. Once per workspace. */
export function grantBonus(
  tx: Tx,
  { ids }: LedgerDeps,
  grant: { workspaceId: WorkspaceId; credits: number; now: Date },
): Promise<number> {
  const { workspaceId, credits, now } = grant;
  return postGain(tx, {
    workspaceId,
    id: ids.uuid(),
    key: 'signup-bonus',
    kind: 'bonus',
    description: 'Sign-up bonus',
    entries: { credits, bonus: -credits },
    now,
  });
}

/** Adds a pack that a charge has paid for. Once per charge. */
export function addPack(
  tx: Tx,
  { ids }: LedgerDeps,
  pack: { workspaceId: WorkspaceId; chargeId: string; credits: number; now: Date },
): Promise<number> {
  const { workspaceId, chargeId, credits, now } = pack;
  return postGain(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `pack:${chargeId}`,
    kind: 'pack',
    description: `Credit pack: ${counted(credits, 'credit')}`,
    entries: { credits, packs: -credits },
    chargeId,
    now,
  });
}

/**
 * Takes the credits of a pack whose money goes back. Once per charge.
 * @returns the balance afterwards; undefined when there are too few to spend
 */
export function takePackBack(
  tx: Tx,
  { ids }: LedgerDeps,
  pack: { workspaceId: WorkspaceId; chargeId: string; credits: number; now: Date },
): Promise<number | undefined> {
  const { workspaceId, chargeId, credits, now } = pack;
  return postSpend(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `refund:${chargeId}`,
    kind: 'refund',
    description: `Credit pack refunded: ${counted(credits, 'credit')}`,
    entries: { credits: -credits, refunds: credits },
    chargeId,
    now,
  });
}

/**
 * Takes what a plan has brought in credits, as its money goes back. Call it once, with the balance locked
 * and at least `takenCredits` in it; the bonus among what the plan brought is none any more.
 */
export async function takeGivenCredits(
  tx: Tx,
  { ids }: LedgerDeps,
  plan: {
    workspaceId: WorkspaceId;
    subscriptionId: string;
    bonusCredits: number;
    takenCredits: number;
    now: Date;
  },
): Promise<void> {
  const { workspaceId, subscriptionId, bonusCredits, takenCredits, now } = plan;
  if (bonusCredits > 0) await removeBonus(tx, workspaceId, bonusCredits);
  if (takenCredits === 0) return;
  const balance = await postTakeBack(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `money_back:${subscriptionId}`,
    kind: 'money_back',
    description: `${counted(takenCredits, 'credit')} from a refunded plan`,
    entries: { credits: -takenCredits, money_backs: takenCredits },
    now,
  });
  if (balance === undefined) throw new Error(`Fewer than ${takenCredits} credits to take back`);
}

interface DisputedCredits {
  workspaceId: WorkspaceId;
  /** The disputed payment. */
  chargeId: string;
  /** What it means: which dispute, and which part of it. */
  key: string;
  credits: number;
  now: Date;
}

/** Takes credits of a disputed payment; the balance is locked and has them. */
export async function takeDisputed(
  tx: Tx,
  { ids }: LedgerDeps,
  { workspaceId, chargeId, key, credits, now }: DisputedCredits,
): Promise<void> {
  const balance = await postTakeBack(tx, {
    workspaceId,
    id: ids.uuid(),
    key,
    kind: 'dispute',
    description: `${counted(credits, 'credit')} from a disputed payment`,
    entries: { credits: -credits, disputes: credits },
    chargeId,
    now,
  });
  if (balance === undefined) throw new Error(`Fewer than ${credits} credits to take`);
}

/** Returns credits that a dispute took which the customer's bank has decided for us. */
export async function giveDisputedBack(
  tx: Tx,
  { ids }: LedgerDeps,
  { workspaceId, chargeId, key, credits, now }: DisputedCredits,
): Promise<void> {
  await postGain(tx, {
    workspaceId,
    id: ids.uuid(),
    key,
    kind: 'dispute',
    description: `${counted(credits, 'credit')} returned: the disputed payment stands`,
    entries: { credits, disputes: -credits },
    chargeId,
    now,
  });
}

/** What an order's ledger transactions need to name it. */
interface OrderOfLedger {
  workspaceId: WorkspaceId;
  orderId: OrderId;
  igUsername: string;
  shortcode: string;
}

/**
 * Sets the credits of an extra-likes order aside, part of the transaction that makes the order.
 * @returns the balance afterwards; undefined when there are too few to spend
 */
export function holdForOrder(
  tx: Tx,
  { ids }: LedgerDeps,
  order: OrderOfLedger & { credits: number; now: Date },
): Promise<number | undefined> {
  const { workspaceId, orderId, credits, now } = order;
  return postSpend(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `order:${orderId}:hold`,
    kind: 'hold',
    ...describe(order, (post) => `${counted(credits, 'extra like')} for ${post}`),
    entries: { credits: -credits, held: credits },
    orderId,
    now,
  });
}

/**
 * Ends what `holdForOrder` began: delivered likes become spent credits, the rest returns. Call it once,
 * with the ended order locked.
 */
export async function settleOrder(
  tx: Tx,
  { ids }: LedgerDeps,
  order: OrderOfLedger & { ordered: number; delivered: number; now: Date },
): Promise<void> {
  const { workspaceId, orderId, ordered, now } = order;
  const spent = Math.min(order.delivered, ordered);
  const rest = ordered - spent;
  await postGain(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `order:${orderId}:settle`,
    kind: 'settle',
    ...describe(order, (post) =>
      rest > 0
        ? `${counted(rest, 'undelivered extra like')} for ${post} returned`
        : `${counted(spent, 'extra like')} for ${post} delivered`,
    ),
    entries: { held: -ordered, spent, credits: rest },
    orderId,
    now,
  });
}

/**
 * Returns what an ended automatic order fell short of its plan's likes, as credits of the same value. Call
 * it once, with the order locked.
 */
export async function returnShortfall(
  tx: Tx,
  { ids }: LedgerDeps,
  order: OrderOfLedger & { likes: number; credits: number; now: Date },
): Promise<void> {
  const { workspaceId, orderId, likes, credits, now } = order;
  await postGain(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `order:${orderId}:shortfall`,
    kind: 'shortfall',
    ...describe(
      order,
      (post) =>
        `${counted(likes, 'undelivered plan like')} for ${post} returned as ${counted(credits, 'credit')} of the same value`,
    ),
    entries: { credits, shortfalls: -credits },
    orderId,
    now,
  });
}

/**
 * An operator puts a balance right, up or down; `reference` makes it happen once.
 * @returns the balance afterwards; undefined when there are fewer credits than are to be taken
 */
export function correct(
  tx: Tx,
  { ids }: LedgerDeps,
  correction: {
    workspaceId: WorkspaceId;
    reference: string;
    /** Not 0. */
    credits: number;
    /** What the customer reads. */
    description: string;
    now: Date;
  },
): Promise<number | undefined> {
  const { workspaceId, reference, credits, description, now } = correction;
  const post = credits < 0 ? postTakeBack : postGain;
  return post(tx, {
    workspaceId,
    id: ids.uuid(),
    key: `correction:${reference}`,
    kind: 'correction',
    description: 'Correction',
    words: description,
    entries: { credits, corrections: -credits },
    now,
  });
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The sentence with and without the post's name; an account that was deleted meanwhile has none. */
function describe(
  { igUsername, shortcode }: OrderOfLedger,
  sentence: (post: string) => string,
): Pick<Posting, 'description' | 'words'> {
  const description = sentence('a post');
  if (shortcode === '') return { description };
  return { description, words: sentence(`post ${shortcode} of @${igUsername}`) };
}
