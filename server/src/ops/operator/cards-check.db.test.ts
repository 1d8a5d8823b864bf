import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { freePort } from '#test/processes/free-port.ts';
import { openSandboxWorld, type SandboxWorld } from '#test/delivery/sandbox-world.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { READ_EVENTS } from '#server/adapters/stripe/stripe-events.ts';
import { openStripeAccount, type StripeAccount } from '#server/adapters/stripe/stripe-account.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import { listen } from '#server/kit/http/listen.ts';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { createApp } from '#server/main/app.ts';
import { PAYING_PAGES, SCRIPT_LIST } from '#shared/domain/page-paths.ts';
import { type CardsLine, type CardsSetUp, checkCards } from './cards-check.ts';
import { readScriptList } from './paying-pages-check.ts';

const SECRET = 'whsec_sandbox';
let world: SandboxWorld;
let deps: TestDeps;
let setUp: CardsSetUp;
let account: StripeAccount;
let stop: () => Promise<void>;
let directory: string;
/** What stands between the product and its customers changes nothing, but where a test says so. */
let between: (c: Context) => void | Promise<void>;
beforeEach(() => {
  between = () => undefined;
});

const SCRIPTS = { '/index.js': 'begin()', '/assets/checkout-a1.js': 'pay()' };

async function writeBuild(): Promise<void> {
  const list = Object.entries(SCRIPTS).map(([path, text]) => ({
    path,
    integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
    reason: 'Pays',
  }));
  await Promise.all(['assets', '.vite'].map((name) => mkdir(join(directory, name))));
  const files = {
    'index.html': '<!doctype html><script type="module" src="/index.js"></script>',
    [SCRIPT_LIST]: JSON.stringify(list),
    ...SCRIPTS,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-cards-'));
  await writeBuild();
  const [port, clock] = [await freePort(), new FakeClock()];
  world = await openSandboxWorld(`http://127.0.0.1:${port}`, () => clock.now());
  setUp = {
    publicUrl: `http://127.0.0.1:${port}`,
    isLive: false,
    eventSecrets: [SECRET],
    builtScripts: await readScriptList(directory),
    cardEntry: {
      way: 'gateway',
      publishableKey: 'pk_test_sandbox',
      scriptUrl: `${world.url}/stripe/v3/stripe.js`,
    },
  };
  const { publicUrl, cardEntry, eventSecrets } = setUp;
  const settings = { publicUrl, cardEntry, gatewayEventSecrets: eventSecrets };
  deps = await createTestDeps({ settings, clock });
  const app = createApp(deps);
  registerWebBuild(app, directory);
  const proxy = new Hono();
  proxy.all('*', async (c) => {
    c.res = await app.fetch(c.req.raw, c.env);
    await between(c);
    return c.res;
  });
  stop = await listen(proxy, { host: '127.0.0.1', port });
  account = openAccount('sk_test_sandbox');
});
afterAll(async () => {
  await account.close();
  await stop();
  await world.close();
  await deps.database.close();
  rmSync(directory, { recursive: true });
});

const openAccount = (secretKey: string): StripeAccount =>
  openStripeAccount({ stripeUrl: `${world.url}/stripe`, secretKey });

const check = (changes: Partial<CardsSetUp> = {}, other: Partial<StripeAccount> = {}) =>
  checkCards({ clock: deps.clock, account: { ...account, ...other } }, { ...setUp, ...changes });

const lineOf = (lines: readonly CardsLine[], part: CardsLine['part']): string => {
  const line = lines.find((each) => each.part === part);
  return `${line?.state}: ${line?.words}`;
};

const gateway = { way: 'gateway', publishableKey: 'pk_test_sandbox', scriptUrl: '' } as const;

test('an installation that fits its gateway is told so, line by line', async () => {
  const lines = await check();
  expect(lines.map(({ part, state }) => `${part} ${state}`)).toEqual([
    'keys ok',
    'fields ok',
    'product ok',
    'script ok',
    ...PAYING_PAGES.map(() => 'headers ok'),
    'scripts ok',
    'events ok',
    'endpoint ok',
  ]);
});

test('nothing is charged by it', async () => {
  await check();
  const book = createStripeGateway({
    stripeUrl: `${world.url}/stripe`,
    secretKey: 'sk_test_sandbox',
  });
  const charges = await book.listCharges({ since: new Date(0) });
  await book.close();
  expect(charges).toEqual({ kind: 'listed', charges: [], after: undefined });
});

test('a wrong secret key is named, and the publishable one is not blamed', async () => {
  const wrong = openAccount('sk_live_wrong');
  const lines = await check({}, wrong);
  await wrong.close();
  expect(lineOf(lines, 'keys')).toMatch(/^FAILS: the gateway refuses the secret key \(/);
  expect(lineOf(lines, 'fields')).toMatch(/^unsure: /);
});

test('a publishable key of another account is named', async () => {
  const { scriptUrl } = setUp.cardEntry as typeof gateway;
  const cardEntry = { ...gateway, scriptUrl, publishableKey: 'pk_test_other' };
  const lines = await check({ cardEntry });
  expect(lineOf(lines, 'fields')).toMatch(/^FAILS: the publishable key doesn’t fit/);
  expect(lineOf(lines, 'product')).toMatch(/^FAILS: .* runs with another card entry/);
});

test('a script that isn’t there is named, and that the pages don’t let it in', async () => {
  const cardEntry = {
    ...gateway,
    scriptUrl: `${world.url.replace('127.0.0.1', 'localhost')}/none`,
  };
  const lines = await check({ cardEntry });
  expect(lineOf(lines, 'script')).toMatch(/^FAILS: .*\/none answers 404/);
  expect(lineOf(lines, 'headers')).toMatch(/^FAILS: .*content-security-policy is /);
});

const failing = async (changes: Partial<CardsSetUp> = {}): Promise<string[]> =>
  (await check(changes)).filter(({ state }) => state === 'FAILS').map(({ words }) => words);

test('a header that is changed on one paying page is named with that page, and what is wrong with it', async () => {
  between = (c) => {
    if (c.req.path === '/payment/credits') c.res.headers.set('referrer-policy', 'unsafe-url');
    if (c.req.path === '/subscription') c.res.headers.delete('permissions-policy');
    if (c.req.path === '/dashboard') c.res.headers.append('content-security-policy', 'x');
  };
  expect(await failing()).toEqual([
    expect.stringMatching(/^\/subscription: permissions-policy is missing, not camera/),
    expect.stringMatching(/^\/payment\/credits: referrer-policy is unsafe-url, not same-origin\. /),
    expect.stringMatching(/^\/dashboard: content-security-policy is default-src .*, x, not /),
  ]);
});

test('a script that is changed, one that is put into a page, and another list are named', async () => {
  const replace = (path: string, text: string) => {
    between = (c) => {
      if (c.req.path === path) c.res = new Response(text, c.res);
    };
  };
  replace('/assets/checkout-a1.js', 'pay();skim()');
  expect(await failing()).toEqual([
    expect.stringMatching(/^\/assets\/checkout-a1\.js isn’t what the build has made/),
  ]);
  const tags = '<script type="module" src="/index.js"></script>';
  replace('/my-billing', `${tags}<script async src=/skim.js></script><script>skim()</script>`);
  expect(await failing()).toEqual([
    expect.stringMatching(/^\/my-billing holds the script \/skim\.js, /),
    expect.stringMatching(/^\/my-billing holds a script of its own, /),
  ]);
  const integrity = `sha384-${'A'.repeat(64)}`;
  replace(`/${SCRIPT_LIST}`, JSON.stringify([{ path: '/skim.js', integrity }]));
  expect(await failing()).toEqual([expect.stringMatching(/isn’t the list of the build here/)]);
  replace(`/${SCRIPT_LIST}`, '[]');
  expect(await failing()).toEqual([expect.stringMatching(/isn’t a list of scripts/)]);
});

test('without a build beside it the product’s own list is all there is to compare with', async () => {
  expect(lineOf(await check({ builtScripts: undefined }), 'scripts')).toMatch(/^unsure: all 2 /);
});

test('a secret that the product doesn’t have is named by its number', async () => {
  const other = 'whsec_of_somebody_else_32_letters_';
  const lines = await check({ eventSecrets: [SECRET, other] });
  expect(lineOf(lines, 'events')).toBe('FAILS: an event signed with secret 2 gets 403');
  expect(lineOf(await check({ eventSecrets: [] }), 'events')).toMatch(/^unsure: /);
});

test('a clock of the product that is ahead of the gateway’s is named, and none that is a minute off', async () => {
  const aheadBy = (ms: number) =>
    check(
      {},
      {
        checkKeys: async () => ({
          secret: { kind: 'told', isLive: false, nowMs: deps.clock.now() - ms },
          publishable: { kind: 'told' },
        }),
      },
    );
  expect(lineOf(await aheadBy(301_000), 'events')).toMatch(
    /^FAILS: the product’s clock is over 5 minutes ahead of the gateway’s/,
  );
  for (const ms of [60_000, -60_000]) {
    expect(lineOf(await aheadBy(ms), 'events')).toMatch(/^ok: /);
  }
});

test('the gateway’s endpoint is found, missed, or lacks events', async () => {
  const url = `${setUp.publicUrl}/stripe/events`;
  const listing = (endpoint: { url: string; isEnabled: boolean; events: string[] }) => ({
    listEndpoints: async () => ({ kind: 'told' as const, endpoints: [endpoint] }),
  });
  const told = async (endpoint: Parameters<typeof listing>[0]) =>
    lineOf(await check({}, listing(endpoint)), 'endpoint');
  expect(await told({ url, isEnabled: true, events: ['*'] })).toMatch(/^ok: /);
  expect(await told({ url, isEnabled: false, events: ['*'] })).toMatch(/^FAILS: .*no enabled/);
  expect(await told({ url: `${url}/x`, isEnabled: true, events: ['*'] })).toMatch(/^FAILS: /);
  expect(await told({ url, isEnabled: true, events: ['charge.refunded'] })).toMatch(
    /lacks payment_intent.succeeded, .*checkout.session.completed, .*refund.failed, .*automatically_updated/,
  );
  expect(await told({ url, isEnabled: true, events: [...READ_EVENTS] })).toMatch(/^ok: /);
});

test('the sandbox’s own list names where it sends its events, by whichever name of this machine', async () => {
  const localhost = setUp.publicUrl.replace('127.0.0.1', 'localhost');
  expect(lineOf(await check({ publicUrl: localhost }), 'endpoint')).toMatch(/^ok: /);
  const publicUrl = `http://localhost:${await freePort()}`;
  expect(lineOf(await check({ publicUrl }), 'endpoint')).toBe(
    `FAILS: the gateway has no enabled endpoint ${publicUrl}/stripe/events`,
  );
});

test('a product that doesn’t run is told, and nothing else is waited for', async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const lines = await check({ publicUrl });
  for (const part of ['product', 'headers', 'scripts', 'events'] as const) {
    expect(lineOf(lines, part)).toMatch(/^FAILS: /);
  }
});
