import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database, Db } from '#server/kit/db/database.ts';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import {
  allSpellings,
  type Canaries,
  filesWithCvv,
  scanDatabase,
  scanDirectory,
  scanTexts,
  standsAlone,
  tablesWithCvv,
  tablesWithWord,
  tellsCvv,
} from './canaries.ts';
import { bundled } from './bundled.ts';
import { freePort } from './free-port.ts';
import { plantDatabase } from '../databases/migrated-image.ts';
import { patiently, WAIT_MS } from '../patience.ts';
import { type RunningProcess, startProcess } from './process.ts';

/**
 * A customer signs up, pays, fails to pay, and recovers a password, against the product and its
 * outside world as processes of their own; then every byte they left is searched (I9).
 */
const EMAIL = 'canary@example.test';
const PASSWORDS = {
  password: 'sitting-Canary-71!',
  'new password': 'flying-Canary-72!',
  'wrong password': 'wrong-Canary-73!',
};
const CARDS = {
  'paying card': '378282246310005',
  'declined card': '4000000000000002',
  'real card': '4539578763621486',
};
/** Four digits, as that card has, can be searched for alone; three only under their name. */
const CVV = '7391';
const OTHER_CVV = '739';
/** Kept for invoices, which show it; it must be in no log, mail or answer. */
const ADDRESS = { 'billing address': '71 Canary Wharf Lane' };

let home: string;
let dataDir: string;
let url: string;
let sandboxUrl: string;
let sandbox: RunningProcess;
let product: RunningProcess;
let cookies: string;
let code: string;
/** What was found in the files at rest; the database is opened once for all tests. */
let leftInFiles: Awaited<ReturnType<typeof scanDirectory>>;
let leftWithCvv: string[];
let database: Database;
const tokens: string[] = [];
const answers: string[] = [];
const mails: string[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ovation-canary-'));
  dataDir = join(home, 'data');
  await plantDatabase(dataDir);
  await start();
  await control('accounts', { username: 'canary.bird', kind: 'business', posts: 1 });
  await liveThrough();
  await product.stop();
  mails.push(JSON.stringify(await control(`mails?to=${EMAIL}`)));
  await sandbox.stop();
  leftInFiles = await scanDirectory(dataDir, canaries());
  leftWithCvv = await filesTelling();
  database = await openEmbedded({ directory: dataDir });
});
afterAll(async () => {
  await database.close();
  await Promise.all([product.stop(), sandbox.stop()]);
  await rm(home, { recursive: true, force: true });
});

/** With all four outside systems configured, the product starts no sandbox and no demo of its own. */
async function start(): Promise<void> {
  const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const secret = 'canary-provider-secret-of-32-characters';
  sandbox = startProcess(await bundled('server/sandbox/main.ts'), {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_SMTP_PORT: String(smtpPort),
    SANDBOX_STATE: join(home, 'sandbox.db'),
    SANDBOX_PROVIDER_SECRET: secret,
    SANDBOX_EVENTS_URL: url,
  });
  await sandbox.waitFor('"ready":true');
  product = startProcess(await bundled('server/src/main/start.ts'), {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    GRAPH_URL: `${sandboxUrl}/graph`,
    GRAPH_TOKENS: '17841400000000001:sandbox-token',
    GRAPH_IMAGE_HOSTS: `127.0.0.1:${sandboxPort}`,
    PROVIDER_URL: `${sandboxUrl}/provider`,
    PROVIDER_SECRET: secret,
    STRIPE_URL: `${sandboxUrl}/stripe`,
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  });
  await product.waitFor('Stop with Ctrl+C');
}

async function control(path: string, body?: object): Promise<unknown> {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${sandboxUrl}/control/${path}`, init);
  expect(answer.status).toBeLessThan(300);
  return answer.json();
}

/** Sends a call with the cookies so far; returns its status and keeps what was answered. */
async function send(path: string, body: object | string, isForm = false): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/user/${path}`, {
    method: 'POST',
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(cookies && { cookie: cookies }),
    },
    body: isForm ? String(new URLSearchParams(body as Record<string, string>)) : text,
  });
  const set = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  if (set.length > 0) cookies = set.join('; ');
  tokens.push(...set.map((each) => each.split('=')[1] ?? '').filter((each) => each.length > 20));
  answers.push(await response.text());
  return response.status;
}

async function liveThrough(): Promise<void> {
  cookies = '';
  const register = { name: 'Canary Bird', email: EMAIL, password: PASSWORDS.password };
  const account = { igUsername: 'canary.bird', package: '1', phone: '5550100100' };
  expect(await send('user/register', { ...register, ...account }, true)).toBe(200);
  await pay();
  const wrong = { email: EMAIL, password: PASSWORDS['wrong password'] };
  expect(await send('user/login', wrong, true)).toBe(401);
  expect(await send('user/login', { ...wrong, password: PASSWORDS.password }, true)).toBe(200);
  await recover();
}

async function pay(): Promise<void> {
  const { data } = JSON.parse(answers.at(-1) ?? '') as { data: { id: string } };
  const form = {
    userId: data.id,
    igUsername: 'canary.bird',
    packageIndex: 1,
    ccName: 'Canary Bird',
    ccMonth: '12',
    ccYear: '2034',
    cvv: OTHER_CVV,
    address: ADDRESS['billing address'],
    zip: '12345',
    city: 'London',
    state: 'NY',
    country: 'US',
    phone: '5550100100',
  };
  const path = 'creditsTransaction/addSubscripiton';
  const grouped = (card: string): string => card.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  const paying = { ccNum: grouped(CARDS['paying card']), cvv: CVV };
  const broken = JSON.stringify({ ...form, ...paying }).slice(0, -1);
  expect(await send(path, broken)).toBe(400);
  expect(await send(path, { ...form, ccNum: grouped(CARDS['real card']) })).toBe(400);
  expect(await send(path, { ...form, ccNum: CARDS['declined card'] })).toBe(402);
  expect(await send(path, { ...form, ...paying })).toBe(200);
}

async function recover(): Promise<void> {
  expect(await send('user/verifyUserAndSendEmail', { email: EMAIL }, true)).toBe(200);
  await vi.waitFor(
    async () => {
      const [, found] = /Your code is (\d{6})/.exec(JSON.stringify(await listMails())) ?? [];
      expect(found).toBeDefined();
      code = found ?? '';
    },
    { timeout: patiently(WAIT_MS), interval: 100 },
  );
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect(await send('user/verify-otp', { email: EMAIL, otp: wrong })).toBe(400);
  expect(await send('user/verify-otp', { email: EMAIL, otp: code })).toBe(200);
  const change = { email: EMAIL, password: PASSWORDS['new password'] };
  expect(await send('user/change-password', change)).toBe(200);
}

const listMails = (): Promise<unknown> => control(`mails?to=${EMAIL}`);

function canaries(others: Canaries = {}): Canaries {
  const sent = tokens.map((token, index): [string, string] => [`token ${index}`, token]);
  const kept = { ...PASSWORDS, ...CARDS, ...others, ...Object.fromEntries(sent) };
  return allSpellings(kept);
}

const filesTelling = async (): Promise<string[]> => [
  ...(await filesWithCvv(dataDir, CVV)),
  ...(await filesWithCvv(dataDir, OTHER_CVV)),
];
const tablesTelling = async (db: Db): Promise<string[]> => [
  ...(await tablesWithCvv(db, CVV)),
  ...(await tablesWithCvv(db, OTHER_CVV)),
];
const tells = (text: string): boolean => tellsCvv(text, CVV) || tellsCvv(text, OTHER_CVV);

test('no card, code, password or token is in any byte of the data directory or any row', async () => {
  expect(tokens.length).toBeGreaterThanOrEqual(3);
  expect(leftInFiles).toEqual([]);
  expect(leftWithCvv).toEqual([]);
  const rows = await scanDatabase(database.db, canaries());
  const tables = await tablesWithWord(database.db, code);
  const cvvs = await tablesTelling(database.db);
  expect({ rows, tables, cvvs }).toEqual({ rows: [], tables: [], cvvs: [] });
});

test('none is in a log, a mail or an answer; the code is in its mail alone', () => {
  const log = product.output();
  expect(log).toContain('"event":"request"');
  expect(scanTexts('log', [log], canaries(ADDRESS))).toEqual([]);
  expect(standsAlone(log, code)).toBe(false);
  expect([log, ...mails, ...answers].filter(tells)).toEqual([]);
  expect(scanTexts('mails', mails, canaries(ADDRESS))).toEqual([]);
  expect(mails.join('\n')).toContain(`Your code is ${code}`);
  expect(scanTexts('answers', answers, canaries(ADDRESS))).toEqual([]);
  expect(standsAlone(answers.join('\n'), code)).toBe(false);
});

test('a planted card, password or code is found, in files and in rows', async () => {
  const base64 = Buffer.from(`x${CARDS['paying card']}y`).toString('base64');
  await writeFile(join(dataDir, 'planted'), `a${PASSWORDS.password}b ${base64}`);
  await writeFile(join(dataDir, 'grouped'), 'card 4000 0000 0000 0002.');
  const files = await scanDirectory(dataDir, canaries());
  expect(files.map(({ problem }) => problem).sort()).toEqual([
    'holds the declined card, grouped',
    'holds the password',
    'holds the paying card, in base64 at 1',
  ]);
  const { db } = database;
  await db.updateTable('app_user').set({ phone: code, name: CARDS['declined card'] }).execute();
  const rows = await scanDatabase(db, canaries());
  const tables = await tablesWithWord(db, code);
  expect(rows.map(({ subject, problem }) => `${subject} ${problem}`)).toEqual([
    'public.app_user holds the declined card',
  ]);
  expect(tables).toEqual(['public.app_user']);
});
