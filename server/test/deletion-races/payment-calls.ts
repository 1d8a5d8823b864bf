import type { Hono } from 'hono';
import { sql } from 'kysely';
import { CALLS } from '#shared/contract/calls.ts';
import { openSession, type Session } from '#server/features/users/session.service.ts';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { CARD_FORM } from '../card-form.ts';
import { newShopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** A customer who is about to pay on one node and to be deleted on another. */
export interface Leaver {
  session: Session;
  igUsername: string;
  client: ApiClient;
}

/** Signed in at a node, with a connected account; each comes from an address of their own. */
export async function newLeaver(app: Hono, deps: TestDeps, name: string): Promise<Leaver> {
  const { session } = await newShopper(deps, name);
  const owner = { ...session, keepSignedIn: false, userAgent: 'test' };
  const { token } = await openSession(deps, deps.database.db, owner);
  const client = new ApiClient(app, { address: `leaver-${name}` });
  client.setCookie('ovation', token);
  return { session, igUsername: name, client };
}

/** What the leaver does; answers the call that is to meet the deletion, ready to be sent. */
type Prepare = (leaver: Leaver, deps: TestDeps) => Promise<() => Promise<ApiResponse>>;

const named = ({ session, igUsername }: Leaver) => ({ userId: session.userId, igUsername });

async function subscribe(leaver: Leaver): Promise<ApiResponse> {
  const form = { ...named(leaver), packageIndex: 2, ...CARD_FORM };
  return leaver.client.call(CALLS.addSubscription, form);
}

async function subscribed(leaver: Leaver): Promise<void> {
  const { httpStatus } = await subscribe(leaver);
  if (httpStatus !== 200) throw new Error(`addSubscription answered ${httpStatus}`);
}

const replaceCard = (leaver: Leaver) => () =>
  leaver.client.call(CALLS.replaceBillingInfo, {
    userId: leaver.session.userId,
    ...CARD_FORM,
  });

/** Every call that moves money or keeps a card. */
export const PAYMENT_CALLS: Readonly<Record<string, Prepare>> = {
  'buy credits': (leaver) =>
    Promise.resolve(() => {
      const pack = { userId: leaver.session.userId, credits: 2500, amount: 10, ...CARD_FORM };
      return leaver.client.call(CALLS.buyCredits, pack);
    }),
  subscribe: (leaver) => Promise.resolve(() => subscribe(leaver)),
  'change plan': async (leaver) => {
    await subscribed(leaver);
    const input = { ...named(leaver), packageIndex: 5 };
    const { body } = await leaver.client.call(CALLS.quotePlan, input);
    const quoteId = body.data?.quoteId ?? '';
    return () => leaver.client.call(CALLS.changePlan, { userId: leaver.session.userId, quoteId });
  },
  'replace the card': async (leaver) => {
    await subscribed(leaver);
    return replaceCard(leaver);
  },
  'replace the card with a payment due': async (leaver, { database }) => {
    await subscribed(leaver);
    await sql`update subscription set state = 'Past due', past_due_since = period_started_at,
      anchor_at = anchor_at - interval '40 days',
      period_started_at = period_started_at - interval '40 days',
      next_billing_at = next_billing_at - interval '40 days'
      where workspace_id = ${leaver.session.workspaceId}`.execute(database.db);
    return replaceCard(leaver);
  },
  'money back': async (leaver) => {
    await subscribed(leaver);
    return () => leaver.client.call(CALLS.moneyBack, named(leaver));
  },
};
