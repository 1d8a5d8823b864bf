import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { addAccount } from '#shared/contract/account-changes.ts';
import { addSubscription } from '#shared/contract/checkout.ts';
import { addLikeOrder, buyCredits } from '#shared/contract/credits.ts';
import { getPosts } from '#shared/contract/post.ts';
import { login, logout, register, User } from '#shared/contract/user.ts';
import { CREDIT_PACKAGES } from '#shared/domain/credit-packages.ts';
import type { Random } from '#server/kit/deps.ts';

/** Password is random per data directory: a demo must not be a back door where it is left running. */
const DemoLogin = v.object({ email: v.string(), password: v.string() });
export type DemoLogin = v.InferOutput<typeof DemoLogin>;

const DemoLogins = v.object({
  ...DemoLogin.entries,
  /** Somebody who has just signed up and has paid nothing yet. */
  newcomer: v.optional(DemoLogin),
});
export type DemoLogins = DemoLogin & { newcomer: DemoLogin };

const KeptDemo = v.object({ ...DemoLogins.entries, isPrepared: v.optional(v.boolean(), false) });

export const DEMO_EMAIL = 'demo@ovation.example';
const NEWCOMER_EMAIL = 'new@ovation.example';
/** On these the network posts by itself now and then. Today's slots of the first are left to whoever tries it. */
export const DEMO_ACCOUNTS = [
  { igUsername: 'aurelie.lumen', plan: 3 },
  { igUsername: 'northbound.film', plan: 4 },
  { igUsername: 'after.hours.city', plan: 2 },
  { igUsername: 'tidewater.studio', plan: 3 },
] as const;
const NEWCOMER_ACCOUNT = 'petal.index';
const CREDIT_PACK = CREDIT_PACKAGES[0] ?? { credits: 2500, price: 10 };
/** Extra likes for posts from before the plan, by their place among the newest. */
const EXTRA_LIKES = [
  { nth: 2, likes: 120 },
  { nth: 4, likes: 60 },
];
const OWNER_ONLY = 0o600;

const CARD = {
  ccName: 'Demo Customer',
  ccNum: '4242424242424242',
  ccMonth: '12',
  ccYear: '2034',
  cvv: '123',
  address: '1 Demo Street',
  zip: '10001',
  city: 'New York',
  state: 'NY',
  country: 'US',
  phone: '5550100100',
};

type SendToApp = (request: Request) => Response | Promise<Response>;

interface DemoOptions {
  send: SendToApp;
  publicUrl: string;
  dataDir: string;
  random: Random;
  sandboxUrl: string;
}

/**
 * Makes the demo's two people the first time, through the same calls a customer's browser makes: one with
 * four accounts, plans, credits and extra likes, and one who has just signed up. Afterwards it changes
 * nothing; a start that died half way is made up for.
 */
export async function prepareDemo(options: DemoOptions): Promise<DemoLogins> {
  const path = join(options.dataDir, 'demo-login.json');
  const kept = existsSync(path)
    ? v.safeParse(KeptDemo, JSON.parse(readFileSync(path, 'utf8')))
    : undefined;
  const newLogin = (email: string): DemoLogin => ({
    email,
    password: options.random.bytes(9).toString('base64url'),
  });
  const known = kept?.success ? kept.output : { ...newLogin(DEMO_EMAIL), isPrepared: false };
  const { email, password, newcomer = newLogin(NEWCOMER_EMAIL) } = known;
  const logins = { email, password, newcomer };
  // Written first: a start that dies half way goes on with the same logins.
  keep(path, { ...logins, isPrepared: known.isPrepared });
  const { session, isNew } = await signIn(options, { email, password }, DEMO_ACCOUNTS[0]);
  if (!known.isPrepared || isNew) {
    await openAccounts(options, session);
    await spendCredits(options, session);
    await postPicture(options);
    const second = await signIn(options, newcomer, { igUsername: NEWCOMER_ACCOUNT, plan: 2 });
    await signOut(options, second.session);
    keep(path, { ...logins, isPrepared: true });
  }
  await signOut(options, session);
  return logins;
}

function keep(path: string, demo: v.InferOutput<typeof KeptDemo>): void {
  writeFileSync(path, JSON.stringify(demo), { mode: OWNER_ONLY });
  // One that was there before keeps its mode when it is written.
  chmodSync(path, OWNER_ONLY);
}

interface DemoSession {
  user: User;
  cookie: string;
}

async function signIn(
  options: DemoOptions,
  person: DemoLogin,
  account: { igUsername: string; plan: number },
): Promise<{ session: DemoSession; isNew: boolean }> {
  const known = await submitForm(options, login.path, { ...person });
  const answer = known.ok
    ? known
    : await submitForm(options, register.path, {
        ...person,
        name: person.email === DEMO_EMAIL ? 'Demo customer' : 'New customer',
        igUsername: account.igUsername,
        package: String(account.plan),
        phone: '5550100100',
      });
  const body = v.parse(v.object({ data: User }), await answer.json());
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { session: { user: body.data, cookie }, isNew: !known.ok };
}

/** Left open it would stand in the person's settings as a browser that nobody knows. */
function signOut(options: DemoOptions, session: DemoSession): Promise<void> {
  return post(options, session, logout.path, {});
}

/** Connects the accounts and buys their plans. */
async function openAccounts(options: DemoOptions, session: DemoSession): Promise<void> {
  const userId = session.user.id;
  for (const { igUsername, plan } of DEMO_ACCOUNTS) {
    const known = session.user.connectedAccounts.find((one) => one.igUsername === igUsername);
    if (!known) await post(options, session, addAccount.path, { userId, igUsername });
    if (known?.accountPackageId) continue;
    const purchase = { ...CARD, userId, igUsername, packageIndex: plan };
    await post(options, session, addSubscription.path, purchase, `demo-${userId}-${igUsername}`);
  }
}

/** Buys a pack, and extra likes for two posts from before. */
async function spendCredits(options: DemoOptions, session: DemoSession): Promise<void> {
  const { id: userId, defaultIgId: igId } = session.user;
  const { credits, price: amount } = CREDIT_PACK;
  const pack = { ...CARD, userId, credits, amount };
  await post(options, session, buyCredits.path, pack, `demo-${userId}-credits`);
  const address = `${options.publicUrl}${getPosts.path}?igId=${igId}`;
  const answer = await options.send(new Request(address, { headers: { cookie: session.cookie } }));
  const { data } = v.parse(v.object({ data: getPosts.data }), await answer.json());
  for (const { nth, likes } of EXTRA_LIKES) {
    const old = data.items[nth];
    if (!old) continue;
    const order = {
      userId,
      igUsername: DEMO_ACCOUNTS[0].igUsername,
      postId: old.id,
      shortCode: old.shortcode,
      likes,
    };
    await post(options, session, addLikeOrder.path, order, `demo-${userId}-${old.id}`);
  }
}

async function post(
  { send, publicUrl }: DemoOptions,
  { cookie }: DemoSession,
  path: string,
  body: object,
  key?: string,
): Promise<void> {
  const answer = await send(
    new Request(`${publicUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    }),
  );
  if (!answer.ok) throw new Error(`The demo's ${path} was refused: ${await answer.text()}`);
}

/** Has the sandbox post a picture, so that the first look at the dashboard finds likes climbing. */
async function postPicture({ sandboxUrl }: DemoOptions): Promise<void> {
  const { igUsername } = DEMO_ACCOUNTS[0];
  await fetch(`${sandboxUrl}/control/accounts/${igUsername}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ afterSeconds: 1, caption: 'Low tide' }),
  });
}

function submitForm(
  options: DemoOptions,
  path: string,
  fields: Record<string, string>,
): Response | Promise<Response> {
  return options.send(
    new Request(`${options.publicUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    }),
  );
}
