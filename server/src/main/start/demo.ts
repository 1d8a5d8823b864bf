import { join } from 'node:path';
import * as v from 'valibot';
import { addAccount } from '#shared/contract/accounts/account-changes.ts';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { addLikeOrder, buyCredits } from '#shared/contract/money/credits.ts';
import { getPosts } from '#shared/contract/accounts/post.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import type { Random } from '#server/kit/deps.ts';
import {
  callAs,
  type DemoCalls,
  DemoLogin,
  type DemoSession,
  enterCard,
  keep,
  readKept,
  signIn,
  signOut,
} from './demo-calls.ts';

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

interface DemoOptions extends DemoCalls {
  dataDir: string;
  random: Random;
}

/**
 * Makes the demo's two people the first time, through the same calls a customer's browser makes: one with
 * four accounts, plans, credits and extra likes, and one who has just signed up. Afterwards it changes
 * nothing; a start that died half way is made up for.
 */
export async function prepareDemo(options: DemoOptions): Promise<DemoLogins> {
  const path = join(options.dataDir, 'demo-login.json');
  const kept = readKept(path, KeptDemo);
  const newLogin = (email: string): DemoLogin => ({
    email,
    password: options.random.bytes(9).toString('base64url'),
  });
  const known = kept ?? { ...newLogin(DEMO_EMAIL), isPrepared: false };
  const { email, password, newcomer = newLogin(NEWCOMER_EMAIL) } = known;
  const logins = { email, password, newcomer };
  // Written first: a start that dies half way goes on with the same logins.
  keep(path, { ...logins, isPrepared: known.isPrepared });
  const { session, isNew } = await signIn(
    options,
    { name: 'Demo customer', email, password },
    DEMO_ACCOUNTS[0],
  );
  if (!known.isPrepared || isNew) {
    await openAccounts(options, session);
    await spendCredits(options, session);
    await postPicture(options);
    const second = await signIn(
      options,
      { name: 'New customer', ...newcomer },
      { igUsername: NEWCOMER_ACCOUNT, plan: 2 },
    );
    await signOut(options, second.session);
    keep(path, { ...logins, isPrepared: true });
  }
  await signOut(options, session);
  return logins;
}

/** Connects the accounts and buys their plans. */
async function openAccounts(options: DemoOptions, session: DemoSession): Promise<void> {
  const userId = session.user.id;
  for (const { igUsername, plan } of DEMO_ACCOUNTS) {
    const known = session.user.connectedAccounts.find((one) => one.igUsername === igUsername);
    if (!known) await callAs(options, session, addAccount, { userId, igUsername });
    if (known?.accountPackageId) continue;
    const purchase = { ...(await enterCard(options)), userId, igUsername, packageIndex: plan };
    await callAs(options, session, addSubscription, purchase, `demo-${userId}-${igUsername}`);
  }
}

/** Buys a pack, and extra likes for two posts from before. */
async function spendCredits(options: DemoOptions, session: DemoSession): Promise<void> {
  const { id: userId, defaultIgId: igId } = session.user;
  const { credits, price: amount } = CREDIT_PACK;
  const pack = { ...(await enterCard(options)), userId, credits, amount };
  await callAs(options, session, buyCredits, pack, `demo-${userId}-credits`);
  const { items } = await callAs(options, session, getPosts, { igId });
  for (const { nth, likes } of EXTRA_LIKES) {
    const old = items[nth];
    if (!old) continue;
    const order = {
      userId,
      igUsername: DEMO_ACCOUNTS[0].igUsername,
      postId: old.id,
      shortCode: old.shortcode,
      likes,
    };
    await callAs(options, session, addLikeOrder, order, `demo-${userId}-${old.id}`);
  }
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
