import type { Mutation } from '#shared/sync/push.ts';

export const orderIdOf = (args: unknown): string => (args as { orderId: string }).orderId;
/** Some orders are refused whenever they are sent. */
export const isRefused = (orderId: string): boolean => Number(orderId) % 5 === 4;

export type Answered =
  | 'ok'
  | 'gap'
  | { status: 'rejected' }
  | { status: 'later'; retryAfterMs: number };

/**
 * A pretended server's mutations by number; it throws when a number is given to two changes or an order is
 * sent under two numbers without need. One that is deferred may be on its way in another request too.
 */
export function createMutations(random: () => number) {
  const stored = new Map<string, { args: unknown; isDone: boolean }>();
  const executed: unknown[] = [];
  let late: Array<[clientId: string, mutation: Mutation]> = [];
  let hasForgotten = false;
  /** Orders that a late request carried out: they are sent under another number too. */
  const carriedOut = new Set<string>();
  const execute = (clientId: string, { mid, v, args }: Mutation): boolean => {
    const isDone = v === 1 && !isRefused(orderIdOf(args));
    stored.set(`${clientId}/${mid}`, { args, isDone });
    if (!isDone) return false;
    const id = orderIdOf(args);
    const isKnown = executed.some((each) => orderIdOf(each) === id);
    // The orders' own ids; only a restored server may be told one that it has forgotten.
    if (isKnown && !hasForgotten && !carriedOut.has(id)) {
      throw new Error('An order was sent under two numbers');
    }
    if (!isKnown) executed.push(args);
    return true;
  };
  const isNext = (clientId: string, mid: number): boolean =>
    !stored.has(`${clientId}/${mid}`) && (mid === 1 || stored.has(`${clientId}/${mid - 1}`));
  return {
    executed,
    forget: () => {
      stored.clear();
      late = [];
      hasForgotten = true;
    },
    executeLate: () => {
      for (const [clientId, mutation] of late) {
        if (!isNext(clientId, mutation.mid)) continue;
        carriedOut.add(orderIdOf(mutation.args));
        execute(clientId, mutation);
      }
      late = [];
    },
    answer: (clientId: string, mutation: Mutation, { isQuiet }: { isQuiet: boolean }): Answered => {
      const { mid, v, args } = mutation;
      const before = stored.get(`${clientId}/${mid}`);
      if (before) {
        if (v === 1 && JSON.stringify(args) !== JSON.stringify(before.args)) {
          throw new Error('A number was given to two changes');
        }
        return before.isDone ? 'ok' : { status: 'rejected' };
      }
      if (!isNext(clientId, mid)) return 'gap';
      if (!isQuiet && random() < 0.15) {
        if (v === 1 && random() < 0.5) late.push([clientId, mutation]);
        return { status: 'later', retryAfterMs: 5000 };
      }
      return execute(clientId, mutation) ? 'ok' : { status: 'rejected' };
    },
  };
}
