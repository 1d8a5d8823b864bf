import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient, type ApiResponse } from '../calls/api-client.ts';
import { bundled } from './bundled.ts';
import { CARD_FORM } from '../money/card-form.ts';
import { ASKING_CARD } from '../money/checkout-books.ts';
import { registration } from '../people/customers.ts';
import { freePort } from './free-port.ts';
import { patiently } from '../patience.ts';
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts';
import { type RunningProcess, startProcess } from './process.ts';
import { openSandboxWorld, type SandboxWorld } from '../delivery/sandbox-world.ts';
import { type DoorStep, openWatchedDoor } from '../delivery/watched-door.ts';

/**
 * `serve` and `work`, killed (SIGKILL) between two steps of a payment that its bank asks
 * about: at a request to the gateway or to the database, before it gets there or before its answer is heard. Another
 * `serve` lives on; whoever paid comes back to that one.
 */
let database: TestDatabase;
let world: SandboxWorld;
let env: Record<string, string>;
let steady: RunningProcess;
let url: string;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  database = await createTestDatabase();
  world = await openSandboxWorld();
  env = {
    DATABASE_URL: database.url ?? '',
    APP_SECRET: 'a secret of the test, 32 and more',
    GRAPH_URL: `${world.url}/graph`,
    GRAPH_TOKENS: '17841400000000001:sandbox-token',
    GRAPH_IMAGE_HOSTS: new URL(world.url).host,
    PROVIDER_URL: `${world.url}/provider`,
    PROVIDER_SECRET: world.providerSecret,
    STRIPE_URL: `${world.url}/stripe`,
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    SMTP_URL: world.smtpUrl,
  };
  [steady, url] = await startServe();
  at = url;
  await register();
}, patiently(180_000));
afterAll(async () => {
  for (const close of closing) await close();
  await steady.stop();
  await database.close();
  await world.close();
});

async function startServe(more: Record<string, string> = {}): Promise<[RunningProcess, string]> {
  const port = await freePort();
  const serve = startProcess(await bundled('server/src/main/serve.ts'), {
    ...env,
    ...more,
    PORT: String(port),
  });
  await serve.waitFor('"event":"serving"');
  return [serve, `http://127.0.0.1:${port}`];
}

/** Its environment, with a door that its process dies at. */
async function behindDoor(step: DoorStep, die: () => void): Promise<Record<string, string>> {
  const name = step.door === 'database' ? 'DATABASE_URL' : 'STRIPE_URL';
  const through = new URL(env[name] ?? '');
  const target = { host: through.hostname, port: Number(through.port) };
  const door = await openWatchedDoor(target, step, die);
  closing.push(() => door.close());
  through.port = String(door.port);
  return { [name]: through.href };
}

/** Which `serve` the customer asks. */
let at: string;
const client = new ApiClient({
  request: (path, { headers, ...init }) => fetch(at + path, { ...init, headers }),
});
let userId: string;
let key = randomUUID();

async function register(): Promise<void> {
  await world.control('POST', 'accounts', { username: 'buyer', kind: 'business', posts: 0 });
  const { body } = await client.call(CALLS.register, registration('buyer'));
  userId = body.data?.id ?? '';
}

/** A pack of 2,500 credits with a card whose bank asks; with one key, however often, one purchase. */
function pay(): Promise<ApiResponse> {
  const pack = { userId, credits: 2500, amount: 10, ...CARD_FORM, ...ASKING_CARD };
  return client.call(CALLS.buyCredits, pack, { 'idempotency-key': key });
}

async function stateOf(paymentId: string): Promise<string> {
  const { body } = await client.call(CALLS.findPaymentState, { userId, paymentId });
  return body.data?.kind ?? String(body.code);
}

/** Minutes: the lease of the attempt is over, its charge is to be polled, and limits count anew. */
async function letTimePass(): Promise<void> {
  const { db } = database;
  const past = new Date(Date.now() - 1000);
  await db.updateTable('attempt').set({ lease_until: past }).where('answer', 'is', null).execute();
  await db
    .updateTable('charge')
    .set({ next_check_at: past })
    .where('next_check_at', 'is not', null)
    .execute();
  await db.deleteFrom('rate_limit').execute();
}

/** The customer says yes at the bank. */
async function confirm(paymentId: string): Promise<void> {
  const { gateway_charge_id: id } = await database.db
    .selectFrom('charge')
    .select('gateway_charge_id')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  await world.control('POST', `bank/${id}`, { decision: 'confirm' });
}

/** Sends the form again to the `serve` that lives, goes to the bank where it asks, and hears how it ended. */
async function comeBack(): Promise<string> {
  at = url;
  await letTimePass();
  const { httpStatus, body } = await pay();
  if (body.code !== 'payment_needs_action') return httpStatus === 200 ? 'paid' : String(body.code);
  const { paymentId = '' } = body.action ?? {};
  await confirm(paymentId);
  return stateOf(paymentId);
}

/** A payment that waits at its bank. @returns ours */
async function begin(): Promise<string> {
  at = url;
  key = randomUUID();
  await letTimePass();
  return (await pay()).body.action?.paymentId ?? '';
}

/** A message of its own; in front of the word stands its length. */
const COMMIT = /^Q.{4}commit.$/s;
const WRITES_CHARGE = /insert into "charge"/;
const WRITES_QUESTION = /update "charge" set .*"action_url"/;
const WRITES_PAYMENT = /insert into "credits_transaction"/;
const CHARGES = /^POST \/stripe\/v1\/payment_intents HTTP/;
const LOOKS = /^GET \/stripe\/v1\/payment_intents\//;
const CANCELS = /^POST \/stripe\/v1\/payment_intents\/\w+\/cancel HTTP/;

const AT_COMMIT = { door: 'database', asks: COMMIT } as const;

let paid = 0;

/** Lets a process of its own die at a step of what `act` makes it do. */
async function die(
  step: DoorStep,
  start: (more: Record<string, string>) => Promise<RunningProcess>,
  act: () => Promise<unknown> = () => new Promise(() => undefined),
): Promise<void> {
  let victim: RunningProcess | undefined;
  const more = await behindDoor(step, () => victim?.child.kill('SIGKILL'));
  victim = await start(more);
  const heard = act().catch(() => 'nothing');
  const end = await Promise.race([heard, victim.ended.then(() => 'nothing')]);
  expect(end).toBe('nothing');
  await victim.ended;
  expect(victim.child.signalCode).toBe('SIGKILL');
}

/** A `serve` that the customer asks from now on. */
async function ownServe(more: Record<string, string>): Promise<RunningProcess> {
  const [serve, ownUrl] = await startServe(more);
  at = ownUrl;
  return serve;
}

/** Every second step of its kind is played in a whole run; `KILLS_EVERY=1` plays each. */
const KILLS_EVERY = Number(process.env['KILLS_EVERY'] ?? 2);
type Moment = readonly [what: string, step: DoorStep];
const played = (moments: readonly Moment[], before = 0): readonly Moment[] =>
  moments.filter((_moment, nth) => (nth + before) % KILLS_EVERY === 0);

const CHECKOUT: readonly Moment[] = [
  ['the charge is written', { ...AT_COMMIT, after: WRITES_CHARGE, at: 'answered' }],
  ['the gateway is asked', { door: 'gateway', asks: CHARGES, at: 'asked' }],
  ['the gateway has answered', { door: 'gateway', asks: CHARGES, at: 'answered' }],
  ['it is written that the bank asks', { door: 'database', asks: WRITES_QUESTION, at: 'answered' }],
];

test.each(played(CHECKOUT))(
  '`serve` dies in a checkout when %s: who comes back pays once',
  async (_what, step) => {
    key = randomUUID();
    await letTimePass();
    await die(step, ownServe, pay);
    expect(await comeBack()).toBe('paid');
    paid += 1;
  },
);

const HEARING: readonly Moment[] = [
  ['the gateway has told it', { door: 'gateway', asks: LOOKS, at: 'answered' }],
  ['it commits that', { ...AT_COMMIT, after: WRITES_PAYMENT, at: 'asked' }],
  ['that is committed', { ...AT_COMMIT, after: WRITES_PAYMENT, at: 'answered' }],
];

test.each(played(HEARING))(
  '`serve` dies hearing of a yes when %s: it is paid once',
  async (_what, step) => {
    const paymentId = await begin();
    await confirm(paymentId);
    await die(step, ownServe, () => stateOf(paymentId));
    at = url;
    expect(await stateOf(paymentId)).toBe('paid');
    paid += 1;
  },
);

// The one that `serve` doesn't die at.
test.each(played(HEARING, 1))(
  '`work` dies hearing of a yes when %s: it is paid once',
  async (_what, step) => {
    const paymentId = await begin();
    await confirm(paymentId);
    await letTimePass();
    const work = async (more: Record<string, string>) =>
      startProcess(await bundled('server/src/main/work.ts'), { ...env, ...more });
    await die(step, work);
    expect(await stateOf(paymentId)).toBe('paid');
    paid += 1;
  },
);

test.each([
  ['asked', 'paid'],
  ['answered', 'payment_not_confirmed'],
] as const)(
  '`serve` dies giving up when the gateway is %s: the customer’s yes after that is %s',
  async (when, end) => {
    const paymentId = await begin();
    const giveUp = () => client.call(CALLS.giveUpPayment, { userId, paymentId });
    await die({ door: 'gateway', asks: CANCELS, at: when }, ownServe, giveUp);
    expect(await comeBack()).toBe(end);
    paid += end === 'paid' ? 1 : 0;
  },
);

test('after all of them both books are equal, and all that the checker knows holds', async () => {
  const book = (await world.control('GET', 'charges')) as Array<{ status: string }>;
  expect(book.filter(({ status }) => status === 'succeeded')).toHaveLength(paid);
  const charges = await database.db.selectFrom('charge').select('state').execute();
  expect(charges.filter(({ state }) => state === 'succeeded')).toHaveLength(paid);
  expect(charges.filter(({ state }) => state !== 'succeeded')).toEqual([{ state: 'declined' }]);
  const check = startProcess(await bundled('server/src/main/check-invariants.ts'), env);
  expect([await check.ended, check.output()]).toEqual([0, expect.stringContaining(' hold.')]);
});
