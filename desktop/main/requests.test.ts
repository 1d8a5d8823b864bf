import { expect, test } from 'vitest';
import { REQUEST_NAMES, requestChannel, type RequestName } from '../ipc.ts';
import { isTrustedSender } from './guards.ts';
import {
  type IpcServer,
  type RequestHandlers,
  savePdf,
  serveIpc,
  shellRequests,
  type ShellSystem,
} from './requests.ts';

interface Frame {
  url: string;
  isTop: boolean;
}
const OURS = { url: 'app://ovation/dashboard', isTop: true };

function serve(system: Partial<ShellSystem> = {}) {
  const done: unknown[][] = [];
  const note =
    (what: string) =>
    (...args: unknown[]): void =>
      void done.push([what, ...args]);
  let startsAtLogin = false;
  let keepsRunning = true;
  const handlers = shellRequests({
    window: { setListening: note('listening') },
    system: {
      loginItem: { read: () => startsAtLogin, set: (isOn) => void (startsAtLogin = isOn) },
      setBadge: note('badge'),
      askWhereToSave: async (name) => `/home/ada/${name}`,
      writeFile: async (path, content) => note('write')(path, content),
      print: async () => {
        note('print')();
        return 'printed';
      },
      toPdf: async () => Buffer.from('%PDF'),
      ...system,
    },
    outside: { open: note('outside') },
    serverChange: {
      keep: note('keep'),
      choose: async (address) => {
        note('choose')(address);
        return { kind: 'bad_address' };
      },
    },
    updates: {
      state: () => ({ kind: 'ready', version: '2.0.0' }),
      check: async () => ({ kind: 'none' }),
      install: note('install'),
    },
    updateOffer: { check: async () => undefined, startNewer: async () => note('newer')() },
    tray: { show: note('tray'), setNews: note('news') },
    keepRunning: { read: () => keepsRunning, set: (isOn) => void (keepsRunning = isOn) },
    problems: { list: () => ['No keyring.'], revealLogs: note('logs') },
    proxyLogins: {
      question: () => ({ proxy: 'a:1', wasWrong: false }),
      answer: async (given) => note('proxy')(given),
    },
    notify: note('notify'),
    forgetPictures: async () => note('forget')(),
    ask: async ({ message, detail }) => {
      note('told')(`${message}. ${detail}`);
      return 0;
    },
  });
  const channels = new Map<string, (event: Frame, ...args: unknown[]) => unknown>();
  serveIpc<Frame>(
    { handle: (channel, listener) => void channels.set(channel, listener) },
    isTrustedSender,
    handlers,
  );
  const ask = async (name: RequestName, args: unknown[] = [], frame: Frame = OURS) =>
    channels.get(requestChannel(name))?.(frame, ...args);
  return { ask, done };
}

test.each([
  ['setListening', [true], ['listening', true]],
  ['chooseServer', ['a.example'], ['choose', 'a.example']],
  ['keepServer', [], ['keep']],
  ['openExternal', ['https://a.example/'], ['outside', 'https://a.example/']],
  ['answerProxy', [null], ['proxy', null]],
  ['print', [], ['print']],
  ['revealLogs', [], ['logs']],
  ['installUpdate', [], ['install']],
  ['startNewer', [], ['newer']],
  ['forgetPictures', [], ['forget']],
  ['setTrayState', [{ sync: 'live', pending: 0 }], ['tray', { sync: 'live', pending: 0 }]],
] as const)('%s does what it says', async (name, args, expected) => {
  const { ask, done } = serve();
  await ask(name, [...args]);
  expect(done).toEqual([[...expected]]);
});

test('what nobody has seen stands on the icon of the app and on that of the tray', async () => {
  const { ask, done } = serve();
  await ask('setBadge', [3]);
  await ask('setBadge', [0]);
  const [three, none] = [
    ['badge', 3],
    ['badge', 0],
  ];
  expect(done).toEqual([three, ['news', true], none, ['news', false]]);
});

test('what this computer doesn’t allow can be read', async () => {
  expect(await serve().ask('readProblems')).toEqual(['No keyring.']);
});

test.each([
  ['failed', 'Nothing was printed'],
  ['canceled', undefined],
] as const)('whose printing %s is told %j', async (ended, told) => {
  const { ask, done } = serve({ print: async () => ended });
  await ask('print');
  expect(done.map(([, words]) => String(words).split('. ')[0])).toEqual(told ? [told] : []);
});

test('the page is saved as a PDF where the person says', async () => {
  const done: unknown[] = [];
  const system = {
    askWhereToSave: async (name: string) => `/home/ada/${name}`,
    writeFile: async (path: string, content: string | Uint8Array) =>
      void done.push(path, Buffer.from(content).toString()),
    toPdf: async () => Buffer.from('%PDF'),
  };
  await savePdf({ system: system as unknown as ShellSystem, ask: async () => 0 });
  expect(done).toEqual(['/home/ada/ovation.pdf', '%PDF']);
});

test('a page that can not be made a PDF is said, and nothing is saved', async () => {
  const told: string[] = [];
  const system = { toPdf: () => Promise.reject(new Error('Failed to generate PDF')) };
  const ask = async ({ message }: { message: string }): Promise<number> => told.push(message);
  await savePdf({ system: system as unknown as ShellSystem, ask });
  expect(told).toEqual(['The PDF couldn’t be made']);
});

test('how an update stands can be read at any time', async () => {
  const { ask } = serve();
  expect(await ask('readUpdate')).toEqual({ kind: 'ready', version: '2.0.0' });
  expect(await ask('checkForUpdate')).toEqual({ kind: 'none' });
});

test('the start at log-in is what the system then says', async () => {
  const { ask } = serve();
  expect(await ask('readStartAtLogin')).toBe(false);
  expect(await ask('setStartAtLogin', [true])).toBe(true);
  const without = serve({ loginItem: undefined });
  expect(await without.ask('setStartAtLogin', [true])).toBe(false);
});

test('whether the app goes on without a window is what the person chose last', async () => {
  const { ask } = serve();
  expect(await ask('readKeepRunning')).toBe(true);
  expect(await ask('setKeepRunning', [false])).toBe(false);
  expect(await ask('readKeepRunning')).toBe(false);
});

test.each([
  ['receipt 1.csv', 'receipt-1.csv'],
  ['../../.bashrc', '-..-.bashrc'],
  ['..\\x.exe', '-x.exe'],
  ['.profile', 'profile'],
])(
  'a file called %j is suggested as %j, in no folder of its own choosing',
  async (name, suggested) => {
    const { ask, done } = serve();
    expect(await ask('saveFile', [{ name, content: 'a,b' }])).toBe('saved');
    expect(done).toEqual([['write', `/home/ada/${suggested}`, 'a,b']]);
  },
);

test('a file that is not wanted after all is not written', async () => {
  const { ask, done } = serve({ askWhereToSave: async () => undefined });
  expect(await ask('saveFile', [{ name: 'a.csv', content: '' }])).toBe('canceled');
  expect(done).toEqual([]);
});

test('a file that could not be written is told', async () => {
  const { ask, done } = serve({ writeFile: () => Promise.reject(new Error('ENOSPC')) });
  expect(await ask('saveFile', [{ name: 'a.csv', content: '' }])).toBe('failed');
  expect(done.join()).toContain('/home/ada/a.csv couldn’t be saved');
});

test.each([
  { url: 'https://evil.example/', isTop: true },
  { url: 'app://ovation/dashboard', isTop: false },
  { url: 'app://ovation.evil.example/', isTop: true },
])('another sender than the UI is refused: %j', async (frame) => {
  const { ask, done } = serve();
  await expect(ask('keepServer', [], frame)).rejects.toThrow('Only the window of the app');
  expect(done).toEqual([]);
});

type Listener = Parameters<IpcServer<{ isOurs: boolean }>['handle']>[1];

function serveTable() {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  const channels = new Map<string, Listener>();
  const handlers = Object.fromEntries(REQUEST_NAMES.map((name) => [name, note(name)]));
  serveIpc<{ isOurs: boolean }>(
    { handle: (channel, listener) => void channels.set(channel, listener) },
    (event) => event.isOurs,
    handlers as unknown as RequestHandlers,
  );
  const ask = (channel: string, args: unknown[], isOurs = true): unknown =>
    channels.get(channel)?.({ isOurs }, ...args);
  return { ask, channels, done };
}

test('every request of the table is served, and nothing else', () => {
  const { channels } = serveTable();
  expect([...channels.keys()]).toEqual(REQUEST_NAMES.map(requestChannel));
});

test('a request that fits is carried out', () => {
  const { ask, done } = serveTable();
  ask(requestChannel('setBadge'), [3]);
  ask(requestChannel('notify'), [{ title: 'a', body: 'b', path: '/dashboard' }]);
  expect(done).toEqual([
    ['setBadge', 3],
    ['notify', { title: 'a', body: 'b', path: '/dashboard' }],
  ]);
});

test('another sender is refused', () => {
  const { ask, done } = serveTable();
  for (const name of REQUEST_NAMES) {
    expect(() => ask(requestChannel(name), [], false)).toThrow('Only the window of the app');
  }
  expect(done).toEqual([]);
});

test.each([
  ['setBadge', [-1]],
  ['setBadge', ['3']],
  ['setBadge', []],
  ['setBadge', [1, 2]],
  ['notify', [{ title: 'a', body: 'b', path: 'https://evil.example' }]],
  ['notify', [{ title: 'a', body: 'b', path: '//evil.example' }]],
  ['saveFile', [{ name: '', content: 'x' }]],
  ['saveFile', [{ name: 'x', content: { path: '/etc/passwd' } }]],
  ['setTrayState', [{ sync: 'on fire', pending: 0 }]],
  ['openExternal', [{ url: 'x' }]],
] as const)('%s refuses %j', (name, args) => {
  const { ask, done } = serveTable();
  expect(() => ask(requestChannel(name), [...args])).toThrow('something else than it takes');
  expect(done).toEqual([]);
});
