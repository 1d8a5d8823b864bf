import type { Hono } from 'hono';
import * as v from 'valibot';
import { CALLS } from '#shared/contract/calls.ts';
import { CARD_FORM } from './card-form.ts';
import { type Customer, registerCustomer } from '../people/customers.ts';
import type { TestDeps } from '../test-deps.ts';
import { startPlan } from './subscription-fixture.ts';

/** What the product and the gateway call who pays. */
interface PayerIds {
  workspaceId: string;
  /** The gateway's id. */
  customerId: string;
}

/** Has the customer buy plan 2 for one of their accounts, the default one unless told, as `startPlan` does. */
export function payPlan(
  deps: TestDeps,
  { user }: Pick<Customer, 'user'>,
  igUsername = user.defaultIgUsername,
): Promise<PayerIds> {
  const { id: userId, email } = user;
  const typed = { userId, igUsername, packageIndex: 2, ...CARD_FORM };
  const form = v.parse(CALLS.addSubscription.input, typed);
  return deps.database.transaction(async (tx) => {
    const { gateway_customer_id: known, ...account } = await tx
      .selectFrom('account')
      .innerJoin('membership', 'membership.workspace_id', 'account.workspace_id')
      .leftJoin('gateway_customer', 'gateway_customer.workspace_id', 'account.workspace_id')
      .selectAll('account')
      .select('gateway_customer.gateway_customer_id')
      .where('membership.user_id', '=', userId)
      .where('account.ig_username', '=', igUsername)
      .where('account.removed_at', 'is', null)
      .executeTakeFirstOrThrow();
    const buyer = { account, userId, email, customerId: known ?? undefined };
    const customerId = await startPlan(tx, deps, buyer, form);
    return { workspaceId: account.workspace_id, customerId };
  });
}

/** Changes the plan as the page does: a price, then the change; of the default account unless told. */
export async function changePlanTo(
  { client, user }: Customer,
  packageIndex: number,
  igUsername = user.defaultIgUsername,
) {
  const wanted = { userId: user.id, igUsername, packageIndex };
  const { body } = await client.call(CALLS.quotePlan, wanted);
  const chosen = { userId: user.id, quoteId: body.data?.quoteId ?? '' };
  return (await client.call(CALLS.changePlan, chosen)).body;
}

/** A customer with a plan. */
export interface Payer extends Customer, PayerIds {}

/** Registers a customer who buys plan 2. */
export async function payer(app: Hono, deps: TestDeps, name: string): Promise<Payer> {
  const customer = await registerCustomer(app, deps, name);
  return { ...customer, ...(await payPlan(deps, customer)) };
}

/** The actions of a customer's audit log that fit, in order. */
export async function auditOf(
  { database }: Pick<TestDeps, 'database'>,
  { workspaceId }: Pick<Payer, 'workspaceId'>,
  fitting: RegExp,
): Promise<string[]> {
  const rows = await database.db
    .selectFrom('audit_event')
    .select('action')
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq')
    .execute();
  return rows.map(({ action }) => action).filter((action) => fitting.test(action));
}
