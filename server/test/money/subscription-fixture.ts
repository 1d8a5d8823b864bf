import { sql } from 'kysely';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import type { Database, Tx } from '#server/kit/db/database.ts';
import type { SubscriptionForm } from '#server/money/checkout/add-subscription.service.ts';
import { chooseCard } from '#server/money/checkout/card.service.ts';
import { openFirstPlan, readBaseline } from '#server/money/checkout/first-plan.service.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import { collectCharge, resumeCharge } from '#server/money/settlement/collect-charge.service.ts';
import { type AccountRow, findAccount } from '#server/network/accounts/account.repository.ts';
import { insertShopper, type Shopper, type TypedForm } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** A customer with a running subscription, charged once. */
export async function newSubscriber(
  deps: TestDeps,
  igUsername: string,
  changes: Partial<TypedForm> = {},
): Promise<Shopper> {
  deps.network.addAccount(igUsername);
  return deps.database.transaction(async (tx) => {
    const shopper = await insertShopper(tx, deps, igUsername);
    const { workspaceId, userId } = shopper.session;
    const account = await findAccount(tx, workspaceId, shopper.accountId);
    if (!account) throw new Error(`${igUsername} isn’t connected`);
    const buyer = { account, userId, email: `${userId}@example.test` };
    await startPlan(tx, deps, buyer, {
      ...shopper.form,
      timeZone: 'UTC',
      ccYear: 2034,
      ...changes,
    });
    return shopper;
  });
}

interface Buyer {
  account: AccountRow;
  userId: string;
  email: string;
  /** Undefined: the gateway doesn’t know them yet. */
  customerId?: string | undefined;
}

/**
 * What a checkout leaves behind, in a transaction that goes on and without its limits, its attempt and its answer. A bank
 * that asks hears yes.
 * @returns the gateway’s id of who paid
 */
export async function startPlan(
  tx: Tx,
  { database, ...others }: TestDeps,
  { account, userId, email, customerId: known }: Buyer,
  form: SubscriptionForm,
): Promise<string> {
  const deps = { ...others, database: { ...database, db: tx, transaction: inThis(tx) } };
  const { workspace_id: workspaceId, ig_username: igUsername } = account;
  const chargeId = deps.ids.uuid();
  const attempt = { workspaceId, userId, attemptId: chargeId };
  const plan = findPlan(form.packageIndex);
  if (!plan) throw new Error(`There’s no plan ${form.packageIndex}`);
  const customerId = known ?? (await keepCustomer(tx, deps, workspaceId, email));
  const baseline = await readBaseline(deps, account);
  const chosen = await chooseCard(deps, attempt, form);
  if (chosen.kind === 'declined') throw new Error(`${igUsername}’s card: ${chosen.code}`);
  const { card } = chosen;
  const { timeZone } = form;
  await openFirstPlan(deps, attempt, { plan, account, baseline, card, timeZone });
  let paid = await collectCharge(deps, { workspaceId, chargeId, fence: 0 });
  if (paid.kind === 'needs_action') {
    const asked = deps.gateway.charges.find(({ request }) => request.chargeId === chargeId);
    deps.gateway.confirmAtBank(asked?.gatewayChargeId ?? '');
    paid = await resumeCharge(deps, { workspaceId, chargeId });
  }
  if (paid.kind !== 'paid') throw new Error(`${igUsername}’s payment: ${paid.kind}`);
  return customerId;
}

const inThis =
  (tx: Tx): Database['transaction'] =>
  (work) =>
    work(tx);

async function keepCustomer(
  tx: Tx,
  { gateway, ids }: TestDeps,
  workspaceId: WorkspaceId,
  email: string,
): Promise<string> {
  const made = await gateway.createCustomer({ key: `${ids.uuid()}:customer`, email, workspaceId });
  if (made.kind !== 'done') throw new Error(`The gateway doesn’t take ${email}`);
  const { customerId } = made;
  const customer = { workspace_id: workspaceId, gateway_customer_id: customerId };
  await tx.insertInto('gateway_customer').values(customer).execute();
  return customerId;
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

/** Lets time pass, the jobs running every so often: not when nothing is due and no money is on its way back. */
export async function live(deps: TestDeps, forMs: number, everyMs = DAY_MS): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
    deps.clock.advance(Math.min(everyMs, forMs - passedMs));
    if (await isAnythingDue(deps)) await runDue(deps);
  }
}

async function isAnythingDue({ clock, database }: TestDeps): Promise<boolean> {
  const now = new Date(clock.now());
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from subscription where next_action_at <= ${now})
      or exists (select from charge where next_check_at <= ${now})
      or exists (select from refund where next_attempt_at <= ${now})
      or exists (select from refund_request where state in ('Requested', 'Approved')) as "isDue"`.execute(
    database.db,
  );
  return rows[0]?.isDue ?? true;
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

/** The mails owed to a shopper, oldest first. */
export async function mailPayloadsOf({ database }: TestDeps, { session }: Shopper) {
  const rows = await database.db
    .selectFrom('owed_mail')
    .select('payload')
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ payload }) => payload);
}

/** Their kinds. */
export async function mailsOf(deps: TestDeps, shopper: Shopper): Promise<string[]> {
  const payloads = await mailPayloadsOf(deps, shopper);
  return payloads.map((mail) => ('step' in mail ? mail.step : mail.kind));
}
