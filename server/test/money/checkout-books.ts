import { sql } from 'kysely';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** The gateway charges this one, but its first answer is lost. */
export const SLOW_CARD = { ccNum: '4000000000000119' };

/** Its bank always asks its customer; and the one whose bank then finds no funds. */
export const ASKING_CARD = { ccNum: '4000002760003184' };
export const ASKING_EMPTY_CARD = { ccNum: '4000008260003178' };

export const PAID_ONCE = {
  charged: 1,
  refundedCents: 0,
  subscriptions: 1,
  payments: 1,
  reservations: 1,
  watched: 1,
};
export const NOTHING = {
  charged: 0,
  refundedCents: 0,
  subscriptions: 0,
  payments: 0,
  reservations: 0,
  watched: 0,
};
/** A charge of plan 2 that brought nothing, and went back. */
export const RETURNED = { ...NOTHING, charged: 1, refundedCents: 1700 };

export function chargesOf({ database }: Pick<TestDeps, 'database'>, { session }: Shopper) {
  return database.db
    .selectFrom('charge')
    .selectAll()
    .where('workspace_id', '=', session.workspaceId)
    .execute();
}

/** Both books of one shopper: the gateway's successes, our subscriptions, payments, reservations. */
export async function booksOf(
  deps: Pick<TestDeps, 'database' | 'gateway'>,
  shopper: Shopper,
): Promise<typeof PAID_ONCE> {
  const ids = new Set((await chargesOf(deps, shopper)).map(({ id }) => id));
  const charged = deps.gateway.charges.filter(
    ({ state, request }) => state === 'succeeded' && ids.has(request.chargeId),
  );
  const count = async (
    table: 'subscription' | 'credits_transaction' | 'network_subscription' | 'poll_schedule',
  ): Promise<number> => {
    const rows = await deps.database.db
      .selectFrom(table)
      .select('workspace_id')
      .where('workspace_id', '=', shopper.session.workspaceId)
      .execute();
    return rows.length;
  };
  return {
    charged: charged.length,
    refundedCents: charged.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    subscriptions: await count('subscription'),
    payments: await count('credits_transaction'),
    reservations: await count('network_subscription'),
    watched: await count('poll_schedule'),
  };
}

/** Lets the janitor of a node run for a while of the clock's time, but for the rounds that would find nothing due. */
export async function runJanitor(deps: TestDeps, forMs: number, everyMs = 5000): Promise<void> {
  let roundsLeft = Math.floor(forMs / everyMs) + 1;
  while (roundsLeft > 0) {
    await settleDueCharges(deps);
    const untilDueMs = (await nextDueMs(deps)) - deps.clock.now();
    const rounds = Math.min(roundsLeft, Math.max(1, Math.ceil(untilDueMs / everyMs)));
    deps.clock.advance(rounds * everyMs);
    roundsLeft -= rounds;
  }
}

/** When the next charge or refund is due. */
async function nextDueMs({ database: { db } }: Pick<TestDeps, 'database'>): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`select least(
    (select min(next_check_at) from charge), (select min(next_attempt_at) from refund)) as at`.execute(
    db,
  );
  return rows[0]?.at?.getTime() ?? Infinity;
}
