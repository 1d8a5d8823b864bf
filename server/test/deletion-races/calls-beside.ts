import { DAY_MS } from '#shared/domain/durations.ts';
import type { Hono } from 'hono';
import { sql } from 'kysely';
import { CALLS } from '#shared/contract/calls.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { BROWSER_KEYS } from '#server/adapters/push/push-sender.conformance.ts';
import { openSession, type Session } from '#server/identity/sessions/session.service.ts';
import { ApiClient, type ApiResponse } from '../calls/api-client.ts';
import { CARD_FORM } from '../money/card-form.ts';
import { newShopper } from '../checkout-fixture.ts';
import { giveCredits } from '../money/credits-fixture.ts';
import { plantPost } from '../delivery/order-fixture.ts';
import { CLIENT_ID, postJson } from '../calls/sync-client.ts';
import { syncPath } from '../calls/sync-server.ts';
import type { TestDeps } from '../test-deps.ts';

/** A customer who is about to pay on one node and to be deleted on another. */
interface Leaver {
  session: Session;
  igUsername: string;
  accountId: string;
  client: ApiClient;
}

/** Signed in at a node, with a connected account; each comes from an address of their own. */
export async function newLeaver(app: Hono, deps: TestDeps, name: string): Promise<Leaver> {
  const { session, accountId } = await newShopper(deps, name);
  const owner = { ...session, keepSignedIn: false, userAgent: 'test' };
  const { token } = await openSession(deps, deps.database.db, owner);
  const client = new ApiClient(app, { address: `leaver-${name}` });
  client.setCookie('ovation', token);
  return { session, igUsername: name, accountId, client };
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

/** The saved card, as the page that offers it names it. */
async function savedCardOf({ client, session }: Leaver): Promise<string> {
  const { body } = await client.call(CALLS.findUser, { userId: session.userId });
  return body.data?.billingInfo?.ccNum ?? '';
}

const replaceCard = (leaver: Leaver) => () =>
  leaver.client.call(CALLS.replaceBillingInfo, {
    userId: leaver.session.userId,
    ...CARD_FORM,
  });

async function pushOf({ client }: Leaver, mutation: object): Promise<ApiResponse> {
  const body = { clientId: CLIENT_ID, mutations: [mutation] };
  const response = await postJson(client, syncPath(PUSH_PATH), body);
  const { status, headers } = response;
  return { httpStatus: status, headers, body: (await response.json()) as ApiResponse['body'] };
}

/** No automatic order was owed for the post. */
const NOT_NEW = { automatic_outcome: 'no_subscription', detected_at: null } as const;

/** Calls that write something else of a customer. */
export const OTHER_CALLS: Readonly<Record<string, Prepare>> = {
  'order likes': async (leaver, deps) => {
    const { session, accountId, igUsername } = leaver;
    const { workspaceId, userId } = session;
    const customer = { workspaceId, accountId, igId: igUsername, igUsername, subscriptionId: '' };
    await plantPost(deps, customer, { id: '101', ...NOT_NEW });
    await giveCredits(deps, workspaceId, 100);
    const order = { userId, igUsername, postId: '101', shortCode: 'C101', likes: 20 };
    return () => leaver.client.call(CALLS.addLikeOrder, order);
  },
  'connect an account': (leaver, { network }) => {
    const igUsername = `${leaver.igUsername}_too`;
    network.addAccount(igUsername);
    const input = { userId: leaver.session.userId, igUsername };
    return Promise.resolve(() => leaver.client.call(CALLS.addAccount, input));
  },
  'save the profile': (leaver) => {
    const { userId } = leaver.session;
    const input = { userId, name: 'Ada Example', phone: '5550100199', timeZone: 'UTC' };
    return Promise.resolve(() => leaver.client.call(CALLS.updateProfile, input));
  },
  'pause a plan': async (leaver, { clock }) => {
    await subscribed(leaver);
    const until = new Date(clock.now() + 10 * DAY_MS).toISOString();
    return () => leaver.client.call(CALLS.pauseSubscription, { ...named(leaver), until });
  },
  'cancel a plan': async (leaver) => {
    await subscribed(leaver);
    return () => leaver.client.call(CALLS.cancelSubscription, named(leaver));
  },
  'stop a plan': async (leaver) => {
    await subscribed(leaver);
    return () => leaver.client.call(CALLS.stopSubscription, named(leaver));
  },
  'push a preference': (leaver) => {
    const preferences = { mid: 1, name: 'setPreferences', v: 1, args: { density: 'compact' } };
    return Promise.resolve(() => pushOf(leaver, preferences));
  },
  'push an order': async (leaver, deps) => {
    const { session, accountId } = leaver;
    const { workspaceId } = session;
    // As the network writes them.
    const igId = String(17_841_400_000_000_000 + Number.parseInt(accountId.slice(-8), 16));
    const { db } = deps.database;
    await db.updateTable('account').set({ ig_id: igId }).where('id', '=', accountId).execute();
    const customer = { ...leaver, workspaceId, igId, subscriptionId: '' };
    await plantPost(deps, customer, { id: '101', ...NOT_NEW });
    await giveCredits(deps, workspaceId, 100);
    const orderId = deps.ids.uuid();
    const args = { orderId, igId, postId: '101', shortCode: 'C101', likes: 20 };
    return () => pushOf(leaver, { mid: 1, name: 'orderLikes', v: 1, args });
  },
  'have a browser told': (leaver) => {
    const { userId } = leaver.session;
    const input = { userId, endpoint: `https://push.example/${userId}`, ...BROWSER_KEYS };
    return Promise.resolve(() => leaver.client.call(CALLS.savePush, input));
  },
  'export the data': (leaver) => {
    const input = { userId: leaver.session.userId };
    return Promise.resolve(() => leaver.client.call(CALLS.exportData, input));
  },
};

/** Every call that moves money or keeps a card. */
export const PAYMENT_CALLS: Readonly<Record<string, Prepare>> = {
  'buy credits': (leaver) =>
    Promise.resolve(() => {
      const pack = { userId: leaver.session.userId, credits: 2500, amount: 10, ...CARD_FORM };
      return leaver.client.call(CALLS.buyCredits, pack);
    }),
  'buy credits with the saved card': async (leaver) => {
    await subscribed(leaver);
    const savedCard = await savedCardOf(leaver);
    const pack = { userId: leaver.session.userId, credits: 2500, amount: 10, savedCard };
    return () => leaver.client.call(CALLS.buyCreditsWithSavedCard, pack);
  },
  subscribe: (leaver) => Promise.resolve(() => subscribe(leaver)),
  'subscribe with the saved card': async (leaver, { network }) => {
    await subscribed(leaver);
    const { userId } = leaver.session;
    const igUsername = `${leaver.igUsername}_too`;
    network.addAccount(igUsername);
    await leaver.client.call(CALLS.addAccount, { userId, igUsername });
    const plan = { userId, igUsername, packageIndex: 1, savedCard: await savedCardOf(leaver) };
    return () => leaver.client.call(CALLS.addSubscriptionWithSavedCard, plan);
  },
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
