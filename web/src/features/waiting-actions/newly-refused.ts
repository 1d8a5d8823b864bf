import type { OutboxItem } from '#web/local-db/outbox-item.ts';

/** The changes that were on their way before and are refused now. */
export function newlyRefused(
  before: readonly OutboxItem[],
  now: readonly OutboxItem[],
): OutboxItem[] {
  const onTheirWay = new Set(
    before.filter(({ state }) => state.kind !== 'failed').map(({ id }) => id),
  );
  return now.filter(({ id, state }) => state.kind === 'failed' && onTheirWay.has(id));
}

/** S§8's sentence for extra likes with the reason; for the rest what was refused, and why. */
export function refusalToast({ name, title, state }: OutboxItem): string {
  const reason = state.kind === 'failed' ? state.message : '';
  return name === 'orderLikes' ? `Unable to buy likes: ${reason}` : `${title}: ${reason}`;
}
