/** Runs in which the app tells the system, or its log, of itself. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { press } from './fake-desktop.ts';
import { app, control, type OpenedWindow } from './fake-electron.ts';
import { book } from './fake-world.ts';
import { settled } from './settled.ts';

type Facts = Record<string, unknown>;

/** The log before the window is drawn, and afterwards. */
export async function readLog(window: OpenedWindow, { data }: { data: string }): Promise<Facts> {
  const path = join(data, 'logs/ovation.log');
  const log = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await settled(() => log() !== '');
  const unseen = log();
  window.draw();
  // Lines keep their order: with the last one all are there.
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'killed', exitCode: 9 });
  await settled(() => log().includes('GPU ended: killed, 9'));
  return { unseen, log: log() };
}

/** macOS: each of the screens in the menu of the dock's icon. */
export async function useDock(window: OpenedWindow): Promise<Facts> {
  window.draw();
  await control.ask('setListening', true);
  window.close();
  const labels = book.dock.map(({ label = '' }) => label);
  const before = window.sent.length;
  for (const label of labels) press(book.dock, label);
  return { labels, told: window.sent.slice(before), 'in sight': window.isVisible() };
}
