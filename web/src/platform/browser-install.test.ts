import { expect, test } from 'vitest';
import { createBrowserInstall } from './browser-install.ts';

function offer(page: EventTarget): { event: Event; asked: () => number } {
  let asked = 0;
  const event = new Event('beforeinstallprompt', { cancelable: true });
  page.dispatchEvent(
    Object.assign(event, {
      prompt: async () => {
        asked += 1;
      },
    }),
  );
  return { event, asked: () => asked };
}

test('what a browser would ask at once is asked when the person wants it, and only once', async () => {
  const page = new EventTarget();
  const install = createBrowserInstall(page, {});
  const seen: Array<string | undefined> = [];
  install.onChange(() => seen.push(install.way()));
  const { event, asked } = offer(page);
  expect([event.defaultPrevented, asked()]).toEqual([true, 0]);
  await install.ask();
  await install.ask();
  expect(asked()).toBe(1);
  expect(seen).toEqual(['ask', undefined, undefined]);
});

test('once it is installed nothing is offered any more, whoever installed it', () => {
  const page = new EventTarget();
  const install = createBrowserInstall(page, {});
  offer(page);
  page.dispatchEvent(new Event('appinstalled'));
  expect(install.way()).toBeUndefined();
});

test('on an iPhone the share menu installs it, unless it runs installed', () => {
  const wayOf = (standalone?: boolean) =>
    createBrowserInstall(new EventTarget(), standalone === undefined ? {} : { standalone }).way();
  expect([wayOf(false), wayOf(true), wayOf()]).toEqual(['share_menu', undefined, undefined]);
});
