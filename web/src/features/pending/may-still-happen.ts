import type { OutboxItem } from '#web/replica/outbox/outbox.ts';

/** Whether a change may reach the server although its person gives it up now. */
export function mayStillHappen(items: readonly OutboxItem[], isReachable: boolean): boolean {
  return items.some(
    ({ state }) => state.kind === 'sending' || (state.kind === 'queued' && isReachable),
  );
}
