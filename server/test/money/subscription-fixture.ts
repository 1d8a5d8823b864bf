import { DAY_MS } from '#shared/domain/durations.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import { createNode, newShopper, type Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** A customer with a running subscription, charged once. */
export async function newSubscriber(
  deps: TestDeps,
  igUsername: string,
  changes: Parameters<ReturnType<typeof createNode>>[2] = {},
): Promise<Shopper> {
  const shopper = await newShopper(deps, igUsername);
  const told = await createNode(deps)(shopper, igUsername, {
    timeZone: 'UTC',
    ccYear: 2034,
    ...changes,
  });
  if (told.kind === 'error') throw told.error;
  return shopper;
}

/** The newest subscription of a shopper's account. */
export function subscriptionOf(deps: TestDeps, { session }: Shopper): Promise<SubscriptionRow> {
  return deps.database.db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

export const nameOf = ({ session, igUsername }: Shopper) => ({
  workspaceId: session.workspaceId,
  igUsername,
});

/** Runs jobs until nothing is due any more. */
export async function runDue(deps: TestDeps): Promise<void> {
  while ((await runSubscriptions(deps)) === 'again') continue;
  while ((await settleDueCharges(deps)) === 'again') continue;
}

/** Lets time pass, the jobs running every so often. */
export async function live(deps: TestDeps, forMs: number, everyMs = DAY_MS): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
    deps.clock.advance(Math.min(everyMs, forMs - passedMs));
    await runDue(deps);
  }
}

/** Leaves nothing to do to the next test. */
export async function endAll(deps: TestDeps): Promise<void> {
  await deps.database.db
    .updateTable('subscription')
    .set({ state: 'Canceled', next_action_at: null })
    .execute();
}

/** Amounts the gateway charged a shopper, in order, and what it gave back. */
export async function gatewayBook(
  deps: TestDeps,
  { session }: Pick<Shopper, 'session'>,
): Promise<{ chargedCents: number[]; refundedCents: number }> {
  const rows = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', session.workspaceId)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  const charged = deps.gateway.charges.filter(
    ({ state, request }) => state === 'succeeded' && ids.has(request.chargeId),
  );
  return {
    chargedCents: charged.map(({ request }) => request.amountCents),
    refundedCents: charged.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
  };
}

/** Kinds of the mails owed to a shopper, oldest first. */
export async function mailsOf(deps: TestDeps, { session }: Shopper): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .select('payload')
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ payload }) => ('step' in payload ? payload.step : payload.kind));
}
