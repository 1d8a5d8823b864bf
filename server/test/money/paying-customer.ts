import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { CARD_FORM } from './card-form.ts';
import { type Customer, registerCustomer } from '../people/customers.ts';
import type { TestDeps } from '../test-deps.ts';

/** Buys plan 2 for one of the customer's accounts, the default one unless told. */
export async function payPlan({ client, user }: Customer, igUsername?: string): Promise<void> {
  const answer = await client.call(CALLS.addSubscription, {
    userId: user.id,
    igUsername: igUsername ?? user.defaultIgUsername,
    packageIndex: 2,
    ...CARD_FORM,
  });
  if (answer.httpStatus !== 200) throw new Error(`addSubscription answered ${answer.httpStatus}`);
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

/** A customer with a plan, and what the product and the gateway call them. */
export interface Payer extends Customer {
  workspaceId: string;
  /** The gateway's id. */
  customerId: string;
}

/** Registers a customer who buys plan 2. */
export async function payer(app: Hono, deps: TestDeps, name: string): Promise<Payer> {
  const customer = await registerCustomer(app, deps, name);
  await payPlan(customer);
  const { db } = deps.database;
  const { workspace_id: workspaceId } = await db
    .selectFrom('app_user')
    .select('workspace_id')
    .where('id', '=', customer.user.id)
    .executeTakeFirstOrThrow();
  const { gateway_customer_id: customerId } = await db
    .selectFrom('gateway_customer')
    .select('gateway_customer_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return { ...customer, workspaceId, customerId };
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
