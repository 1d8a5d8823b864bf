import { expect, test } from 'vitest';
import { followLinks, linkAmong, type LinkSource, pathOfLink } from './guards.ts';

type Listener = Parameters<LinkSource['on']>[1] extends never ? never : (...args: never[]) => void;

function open(ownArgs: string[] = []) {
  const listeners: Record<string, Listener> = {};
  const done: string[] = [];
  const openWindow = followLinks(
    { on: (event: string, listener: Listener) => void (listeners[event] = listener) },
    ownArgs,
  );
  const emit = (event: string, detail: unknown): void =>
    listeners[event]?.(...([{ preventDefault: () => undefined }, detail] as never[]));
  const start = (): void =>
    openWindow({
      show: () => void done.push('show'),
      command: (command) => void done.push(command.kind === 'open' ? command.path : command.kind),
    });
  return { emit, start, done };
}

test('a link that comes before the app is ready is opened once it is', () => {
  const { emit, start, done } = open();
  emit('open-url', 'ovation://billing');
  expect(done).toEqual([]);
  start();
  expect(done).toEqual(['show', '/my-billing']);
  emit('second-instance', ['/opt/ovation']);
  expect(done).toEqual(['show', '/my-billing', 'show']);
});

test('the link of the start is opened, and that of a second start too', () => {
  const { emit, start, done } = open(['/opt/ovation', 'ovation://settings']);
  start();
  emit('second-instance', ['/opt/ovation', '--flag', 'OVATION://dashboard']);
  expect(done).toEqual(['show', '/my-settings', 'show', '/dashboard']);
});

test('a link that is none of ours shows the window and opens nothing', () => {
  const { emit, start, done } = open();
  start();
  emit('open-url', 'ovation://post/1/2');
  expect(done).toEqual(['show', 'show']);
});

test.each([
  ['ovation://dashboard', '/dashboard'],
  ['ovation://post/17900000000000001', '/dashboard?post=17900000000000001'],
  ['ovation://post/17900000000000001/', '/dashboard?post=17900000000000001'],
  ['ovation://billing', '/my-billing'],
  ['OVATION://Billing/', '/my-billing'],
  ['Ovation://POST/12', '/dashboard?post=12'],
])('%s opens %s', (link, path) => expect(pathOfLink(link)).toBe(path));

test.each([
  'ovation://post/../../x',
  'ovation://post/12%2F..',
  'ovation://post/1/2',
  'ovation://post//12',
  'ovation://post/',
  'ovation:post/12',
  'ovation://evil',
  'ovation://dashboard/more',
  'ovation://toString',
  'https://dashboard',
  'nonsense',
])('%s opens nothing', (link) => expect(pathOfLink(link)).toBeUndefined());

test('a link of ten megabytes opens nothing', () => {
  expect(pathOfLink(`ovation://dashboard?${'x'.repeat(10_000_000)}`)).toBeUndefined();
});

test('a link is found among the arguments of a second start', () => {
  expect(linkAmong(['/opt/ovation', '--flag', 'ovation://dashboard'])).toBe('ovation://dashboard');
  expect(linkAmong(['/opt/ovation', 'OVATION://dashboard'])).toBe('OVATION://dashboard');
  expect(linkAmong(['/opt/ovation'])).toBeUndefined();
});
