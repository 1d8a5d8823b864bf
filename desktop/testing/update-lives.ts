import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { press } from './fake-desktop.ts';
import { control, type OpenedWindow } from './fake-electron.ts';
import type { UpdateServer } from './fake-update-server.ts';
import { book, outside } from './fake-world.ts';
import { settled } from './settled.ts';

type Facts = Record<string, unknown>;

interface Given {
  data: string;
  updates: UpdateServer;
}

/** A server that holds the app up, then doesn't: asked again after each answer until the update is here. */
export async function waitForUpdate(window: OpenedWindow, { updates }: Given): Promise<Facts> {
  const kinds = (): unknown[] => window.sent.map((told) => Object(told).kind);
  window.draw();
  press(book.menu, 'Check for updates');
  const isSaid = (): boolean => book.messages.at(-1)?.message === 'We couldn’t download the update';
  await settled(() => kinds().includes('failed') && isSaid());
  const [asked, told] = [updates.asked.length, window.sent.length];
  const isLittle = updates.poured() < 20_000_000;
  updates.mend();
  await control.ask('checkForUpdate');
  await settled(() => kinds().includes('ready'));
  const states = new Set(kinds().slice(told));
  return {
    'told then': [...states],
    'asked then': updates.asked.slice(asked),
    'took little': isLittle,
  };
}

/** The real electron-updater before a server of this run; what it starts anew is a script. */
export async function takeUpdate(window: OpenedWindow, { data, updates }: Given): Promise<Facts> {
  const kinds = (): string[] => window.sent.map((told) => String(Object(told).kind));
  window.draw();
  await settled(() => kinds().some((kind) => kind !== 'downloading'));
  const facts: Facts = { told: window.sent.at(-1), asked: updates.asked };
  // Later, then at once.
  outside.pressed = 1;
  press(book.menu, 'Check for updates');
  await settled(() => book.messages.length > 0);
  facts['message'] = book.messages[0]?.message;
  const image = join(data, 'image/Ovation.AppImage');
  const version = () =>
    existsSync(image) ? readFileSync(image, 'utf8').split('\n')[0] : undefined;
  facts['before it is asked for'] = version();
  await control.ask('installUpdate');
  const isReady = kinds().includes('ready');
  if (isReady) await settled(() => book.done.includes('quit') || book.messages.length > 1);
  facts['afterwards'] = version();
  if (book.done.includes('quit')) await settled(() => existsSync(`${image}.started`));
  facts['started anew'] = existsSync(`${image}.started`);
  facts['told then'] = book.messages.slice(1).map(({ message }) => message);
  facts['closing then'] = book.windows.at(-1)?.close();
  return facts;
}
