import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { addSubscription } from '#shared/contract/checkout.ts';
import { register, login, User } from '#shared/contract/user.ts';
import type { Random } from '../deps.ts';

/** Password is random per data directory: a demo must not be a back door where it is left running. */
const DemoLogin = v.object({ email: v.string(), password: v.string() });
export type DemoLogin = v.InferOutput<typeof DemoLogin>;

export const DEMO_EMAIL = 'demo@ovation.example';
const DEMO_PLAN = 3;
const OWNER_ONLY = 0o600;

type SendToApp = (request: Request) => Response | Promise<Response>;

interface DemoOptions {
  send: SendToApp;
  publicUrl: string;
  dataDir: string;
  random: Random;
  /** The network account that the demo customer connects; it posts now and then. */
  igUsername: string;
  sandboxUrl: string;
}

/** New posts of the demo account, so that the first look at its dashboard finds likes climbing. */
const FIRST_POSTS_AFTER_SECONDS = [1, 25];

/**
 * Signs the demo customer up and buys a plan, through the same calls a customer's browser makes, the
 * first time; afterwards returns the login that was made then.
 */
export async function prepareDemo(options: DemoOptions): Promise<DemoLogin> {
  const path = join(options.dataDir, 'demo-login.json');
  const kept = existsSync(path)
    ? v.safeParse(DemoLogin, JSON.parse(readFileSync(path, 'utf8')))
    : undefined;
  const demo = kept?.success
    ? kept.output
    : { email: DEMO_EMAIL, password: options.random.bytes(9).toString('base64url') };
  // Written first: a start that dies half way goes on with the same login.
  writeFileSync(path, JSON.stringify(demo), { mode: OWNER_ONLY });
  // One that was there before keeps its mode when it is written.
  chmodSync(path, OWNER_ONLY);
  const session = await signIn(options, demo);
  if (!session.user.inSubscription) {
    await buyPlan(options, session);
    for (const afterSeconds of FIRST_POSTS_AFTER_SECONDS) await postPicture(options, afterSeconds);
  }
  return demo;
}

interface DemoSession {
  user: User;
  cookie: string;
}

async function signIn(options: DemoOptions, demo: DemoLogin): Promise<DemoSession> {
  const known = await submitForm(options, login.path, { ...demo });
  const answer = known.ok
    ? known
    : await submitForm(options, register.path, {
        ...demo,
        name: 'Demo customer',
        igUsername: options.igUsername,
        package: String(DEMO_PLAN),
        phone: '5550100100',
      });
  const body = v.parse(v.object({ data: User }), await answer.json());
  return { user: body.data, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function buyPlan(options: DemoOptions, { user, cookie }: DemoSession): Promise<void> {
  const answer = await options.send(
    new Request(`${options.publicUrl}${addSubscription.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `demo-${user.id}`, cookie },
      body: JSON.stringify({
        userId: user.id,
        igUsername: user.defaultIgUsername,
        packageIndex: DEMO_PLAN,
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
      }),
    }),
  );
  if (!answer.ok) throw new Error(`The demo's plan could not be bought: ${await answer.text()}`);
}

/** Has the sandbox post a picture that it makes itself. */
async function postPicture(options: DemoOptions, afterSeconds: number): Promise<void> {
  await fetch(`${options.sandboxUrl}/control/accounts/${options.igUsername}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ afterSeconds, caption: 'Low tide' }),
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
