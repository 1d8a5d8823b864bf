import type { Hono } from 'hono';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { ApiClient } from '../calls/api-client.ts';
import { newShopper } from '../checkout-fixture.ts';
import { plantPost } from '../delivery/order-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

export interface SignedIn {
  client: ApiClient;
  workspaceId: string;
  userId: string;
  accountId: string;
  igUsername: string;
  igId: string;
}

/** A customer with one connected account and its post 101, signed in without the cost of a password. */
export async function signInShopper(
  app: Hono,
  deps: TestDeps,
  igUsername: string,
): Promise<SignedIn> {
  const { session, accountId } = await newShopper(deps, igUsername);
  const { db } = deps.database;
  const igId = String(BigInt(`0x${accountId.replaceAll('-', '').slice(-12)}`));
  await db.updateTable('account').set({ ig_id: igId }).where('id', '=', accountId).execute();
  const owner = { ...session, keepSignedIn: false, userAgent: 'test' };
  const { token } = await openSession(deps, db, owner);
  const client = new ApiClient(app);
  client.setCookie('ovation', token);
  const customer = { client, ...session, accountId, igUsername, igId };
  await plantPost(deps, { ...customer, subscriptionId: '' }, { id: '101' });
  return customer;
}
