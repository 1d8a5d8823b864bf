import type { AuthInfo } from 'electron';
import { expect, test } from 'vitest';
import type { ProxyQuestion } from '../ipc.ts';
import { FakeSecrets } from '../testing/fake-secrets.ts';
import type { ProxyAnswer } from './proxy.ts';
import { createProxyLogins, ProxyLoginNeeded } from './proxy-login.ts';

const PROXY = 'http://proxy.office:8080';
const SERVER = 'https://ovation.example';
const RIGHT = { user: 'anna', password: 'p:ä' };
const KEPT = JSON.stringify({ 'proxy.office:8080': RIGHT });

/** A network whose proxy wants a log-in; `secrets` is what this computer keeps. */
function open(known: ConstructorParameters<typeof FakeSecrets>[0] = {}) {
  const secrets = new FakeSecrets(known);
  const asked: string[] = [];
  const bridges: string[] = [];
  const told: (ProxyQuestion | null | string)[] = [];
  const network = { wants: 'wants_login' as ProxyAnswer };
  const logins = createProxyLogins({
    secrets,
    onQuestion: (question) => void told.push(question),
    onAnswered: () => void told.push('answered'),
    notKept: (error) => void told.push(String(error)),
    unknownKind: (proxy) => void told.push(`unknown kind: ${proxy}`),
    ask: async (proxy, target) => {
      asked.push(`${proxy} ${target}`);
      const { username, password } = new URL(proxy);
      const isRight = username === 'anna' && decodeURIComponent(password) === RIGHT.password;
      return isRight ? 'goes_on' : network.wants;
    },
    openBridge: async (socks) => {
      bridges.push(socks);
      const url = socks.replace(/^socks5/, 'http').replace('socks.office', 'bridge');
      return { url, close: () => void bridges.push(`closed ${socks}`) };
    },
  });
  const pass = (proxy = PROXY) => logins.pass(proxy, SERVER);
  return { logins, pass, asked, told, network, secrets, bridges };
}

const answered = (logins: ReturnType<typeof open>['logins'], isKept: boolean) =>
  logins.answer({ ...RIGHT, isKept });

test('a proxy that asks for nothing is passed, and no keyring is asked', async () => {
  const { pass, network, asked, logins, secrets } = open({ text: KEPT });
  network.wants = 'goes_on';
  expect(await pass()).toBe(PROXY);
  expect(await logins.pass(PROXY, 'http://127.0.0.1:3000')).toBe(PROXY);
  expect([asked, secrets.timesRead]).toEqual([[`${PROXY} ovation.example:443`], 0]);
});

test('a proxy that wants a log-in fails the calls and asks the person once, until it has one', async () => {
  const { pass, logins, told } = open();
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  const question = { proxy: 'proxy.office:8080', wasWrong: false };
  expect([told, logins.question()]).toEqual([[question], question]);
  await answered(logins, false);
  expect([told.slice(1), logins.question()]).toEqual([[null, 'answered'], null]);
  expect(await pass()).toBe('http://anna:p%3A%C3%A4@proxy.office:8080/');
});

test('a log-in that the proxy does not take is asked for again, and said to be wrong', async () => {
  const { pass, logins, told } = open();
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  await logins.answer({ user: 'anna', password: 'wrong', isKept: false });
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  expect(told.at(-1)).toEqual({ proxy: 'proxy.office:8080', wasWrong: true });
});

test('a kept log-in is used by the next start, which asks nobody', async () => {
  const first = open();
  await expect(first.pass()).rejects.toThrow(ProxyLoginNeeded);
  await answered(first.logins, true);
  expect(first.secrets.text).toBe(KEPT);
  const next = open({ text: KEPT });
  expect(await next.pass()).toBe('http://anna:p%3A%C3%A4@proxy.office:8080/');
  expect(next.told).toEqual([]);
});

test.each([
  ['a missing keyring', { hasKeyring: false }],
  ['a full disk', { writeFailure: new Error('The disk is full') }],
])(
  'a log-in that %s does not let be kept is told, and used until the end',
  async (_what, known) => {
    const { pass, logins, told } = open(known);
    await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
    await answered(logins, true);
    expect(told.at(-1)).toMatch(/no keyring|disk is full/);
    expect(await pass()).toContain('anna');
  },
);

test('what is kept and can not be read counts as nothing', async () => {
  const { pass, logins } = open({ text: '{"proxy.office:8080":' });
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  expect(logins.question()).toMatchObject({ wasWrong: false });
});

test('who has no time is asked no more, before a server is chosen', async () => {
  const { pass, logins } = open();
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  await logins.answer(null);
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  expect(logins.question()).toBeNull();
  logins.askAgain();
  await expect(pass()).rejects.toThrow(ProxyLoginNeeded);
  expect(logins.question()).not.toBeNull();
});

test('a kind of log-in that the app can not do is told as that, and nobody is asked', async () => {
  const { pass, logins, network, told } = open();
  network.wants = 'wants_unknown_login';
  const failure = await pass().catch((error: unknown) => error);
  expect(failure).toMatchObject({ how: { canBeGiven: false } });
  expect([told, logins.question()]).toEqual([['unknown kind: proxy.office:8080'], null]);
});

test('a SOCKS proxy has one bridge, and another one with a log-in', async () => {
  const { pass, logins, bridges } = open();
  const socks = 'socks5://socks.office:1080';
  await expect(pass(socks)).rejects.toThrow(ProxyLoginNeeded);
  await expect(pass(socks)).rejects.toThrow(ProxyLoginNeeded);
  expect(bridges).toEqual([socks]);
  await answered(logins, false);
  expect(await pass(socks)).toContain('anna:p%3A%C3%A4@bridge:1080');
  expect(bridges).toEqual([socks, expect.stringContaining('anna'), `closed ${socks}`]);
});

const ASKED: AuthInfo = {
  isProxy: true,
  scheme: 'basic',
  host: 'proxy.office',
  port: 8080,
  realm: 'Office',
};

/** What Electron's network is answered. */
async function answerOf(logins: ReturnType<typeof open>['logins'], asked: AuthInfo) {
  const given = Promise.withResolvers<unknown[]>();
  await logins.answerElectron(asked, (...login) => given.resolve(login));
  return given.promise;
}

test('an update that a proxy holds up gets the log-in, once, and without one the person is asked', async () => {
  const { logins } = open();
  expect(await answerOf(logins, ASKED)).toEqual([]);
  expect(logins.question()).toEqual({ proxy: 'proxy.office:8080', wasWrong: false });
  await answered(logins, false);
  expect(await answerOf(logins, ASKED)).toEqual(['anna', 'p:ä']);
  // Asked again it wasn't taken: for ever the same answer would be asked for for ever.
  expect(await answerOf(logins, ASKED)).toEqual([]);
  expect(logins.question()).toMatchObject({ wasWrong: true });
});

test('a server that asks for a password gets none of a proxy', async () => {
  const { logins, secrets } = open({ text: KEPT });
  expect(await answerOf(logins, { ...ASKED, isProxy: false })).toEqual([]);
  expect([logins.question(), secrets.timesRead]).toEqual([null, 0]);
});
