import { expect, test } from 'vitest';
import { SYNC_PROTOCOL } from '#shared/sync/version.ts';
import { createServerChange } from './server.ts';
import type { DesktopSettings } from './settings.ts';

const OLD = 'https://old.example';
const ABOUT = { product: 'Ovation', protocol: SYNC_PROTOCOL, oldestProtocol: SYNC_PROTOCOL };

function open({ isFirst = false, pressed = 0, pending = 0 } = {}) {
  const done: string[] = [];
  const asked: string[] = [];
  let settings: DesktopSettings = isFirst ? {} : { server: OLD };
  const world = { canForget: true, canWrite: true, isThere: true };
  const change = createServerChange({
    settings: {
      read: () => settings,
      change: (part) => {
        if (!world.canWrite) throw new Error('ENOSPC');
        settings = { ...settings, ...part };
        if (part.server !== undefined) done.push(`now ${part.server}`);
      },
    },
    forgetServer: async () => {
      if (!world.canForget) throw new Error('The disk does not answer');
      done.push('forgotten');
    },
    fetch: async () =>
      world.isThere
        ? Response.json({ status: 'success', data: ABOUT })
        : new Response('', { status: 404 }),
    restart: () => void done.push('restart'),
    pending: () => pending,
    ask: async ({ message, detail, buttons }) => {
      asked.push(`${message} ${detail} [${buttons.join()}]`);
      return pressed;
    },
  });
  return { change, done, asked, world, server: () => settings.server };
}

test('the question names what is lost, and cancelling changes nothing', async () => {
  const { change, done, asked, server } = open({ pressed: 1, pending: 2 });
  await change.begin();
  expect(asked.join()).toContain(OLD);
  expect(asked.join()).toContain('2 changes that haven’t reached it will be lost');
  expect([change.isChoosing(), done, server()]).toEqual([false, [], OLD]);
});

test('one who goes back has the server and everything that was there', async () => {
  const { change, done, server } = open();
  await change.begin();
  expect(change.isChoosing()).toBe(true);
  change.keep();
  expect([change.isChoosing(), done, server()]).toEqual([false, ['restart', 'restart'], OLD]);
});

test('the old server stays until another one is chosen and checked; then what it left goes first', async () => {
  const { change, done, world, server } = open();
  await change.begin();
  world.isThere = false;
  expect((await change.choose('new.example')).kind).toBe('not_ovation');
  expect([server(), change.isChoosing()]).toEqual([OLD, true]);
  world.isThere = true;
  expect((await change.choose('new.example')).kind).toBe('chosen');
  expect(done).toEqual(['restart', 'forgotten', 'now https://new.example', 'restart']);
  expect(change.isChoosing()).toBe(false);
});

test('a replica that can not be removed is never seen with another server', async () => {
  const { change, world, server } = open();
  await change.begin();
  world.canForget = false;
  await expect(change.choose('new.example')).rejects.toThrow('does not answer');
  expect(server()).toBe(OLD);
});

test('on a disk that takes nothing the old server stays, with everything that was there', async () => {
  const { change, done, world, server } = open();
  await change.begin();
  world.canWrite = false;
  await expect(change.choose('new.example')).rejects.toThrow('ENOSPC');
  expect([server(), done]).toEqual([OLD, ['restart']]);
});

test('the same server again loses nothing', async () => {
  const { change, done } = open();
  await change.begin();
  await change.choose('old.example');
  expect(done).toEqual(['restart', 'restart']);
});

test('the window alone can not change the server', async () => {
  const { change, done } = open();
  await expect(change.choose('new.example')).rejects.toThrow('from the menu only');
  expect(done).toEqual([]);
});

test('on the first start a server is chosen without a question', async () => {
  const { change, server } = open({ isFirst: true });
  expect(change.isChoosing()).toBe(true);
  await change.choose('new.example');
  expect(server()).toBe('https://new.example');
});
