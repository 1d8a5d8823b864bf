/** Why an order ended with fewer likes than ordered; kept in the database, shown as a sentence. */
export const ORDER_REASONS = [
  'media_gone',
  'invalid_order',
  'no_members',
  /** Refused for a reason of the provider's own. */
  'refused',
  /** The post disappeared from the network while the order ran. */
  'post_deleted',
  /** The account was private, renamed or gone when its order had fallen short. */
  'account_unreadable',
  /** We were asked to stop: the subscription or the customer ended it. */
  'stopped',
  /** The provider ended it and the protocol doesn't say why. */
  'ended_early',
] as const;
export type OrderReason = (typeof ORDER_REASONS)[number];

/** Each says only what is known; none promises what happens with the rest. */
const SENTENCES: Record<OrderReason, string> = {
  media_gone:
    'We couldn’t find the post when delivery was about to start, so no likes were delivered.',
  invalid_order: 'The delivery network couldn’t take this order, so no likes were delivered.',
  no_members: 'No more members were available for this post, so no likes were delivered.',
  refused: 'The delivery network turned this order down, so no likes were delivered.',
  post_deleted: 'The post was deleted, so delivery stopped.',
  account_unreadable: 'The account was private, renamed or not found, so delivery stopped.',
  stopped: 'Delivery was stopped before all likes arrived.',
  ended_early: 'The delivery network ended this order before all likes arrived.',
};

export function reasonSentence(reason: OrderReason): string {
  return SENTENCES[reason];
}

const CUSTOMERS_SIDE: ReadonlySet<OrderReason> = new Set([
  'post_deleted',
  'account_unreadable',
  'stopped',
]);

/** The customer's side caused it, not the provider: of plan likes nothing returns (D7). */
export function isCustomersSide(reason: OrderReason | null): boolean {
  return reason !== null && CUSTOMERS_SIDE.has(reason);
}

/** The provider's word for a refusal as one of ours; words of its own become 'refused'. */
export function refusalReason(word: string): OrderReason {
  return word === 'media_gone' || word === 'invalid_order' || word === 'no_members'
    ? word
    : 'refused';
}
