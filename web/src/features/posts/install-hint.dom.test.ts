import { expect, test } from 'vitest';
import type { Platform, PlatformInstall } from '#shared/platform.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const LIKED = postRow({ id: '1', deliveredLikes: 1 });
const UNLIKED = postRow({ id: '1', deliveredLikes: 0 });

/** A browser with a way to install the app, and what it was asked. */
function browserWith(way: ReturnType<PlatformInstall['way']>) {
  const asked: string[] = [];
  const kept = new Map<string, string>();
  const platform: Partial<Platform> = {
    install: {
      way: () => way,
      onChange: () => () => undefined,
      ask: async () => void asked.push('install'),
    },
    storage: {
      read: (key) => kept.get(key) ?? localStorage.getItem(key),
      write: (key, value) => void kept.set(key, value),
      remove: (key) => void kept.delete(key),
    },
  };
  return { platform, asked };
}
const open = (platform: Partial<Platform>, post = LIKED): Promise<Page> =>
  openPage('/dashboard', { user: OWNER, replica: { post: [post] }, platform });
const hint = (page: Page) => page.getByRole('region', { name: 'Install Ovation' });
const posts = (page: Page) => page.locator('[data-post]');

test('after the first like the app is offered, and whoever says no is never asked again', async () => {
  const { platform, asked } = browserWith('ask');
  const page = await open(platform);
  await hint(page).getByRole('button', { name: 'No thanks' }).click();
  await hint(page).waitFor({ state: 'gone' });
  const again = await open(platform);
  await posts(again).waitFor();
  expect([hint(again).count(), asked]).toEqual([0, []]);
});

test('whoever wants it is asked by the browser, and not by us again', async () => {
  const { platform, asked } = browserWith('ask');
  const page = await open(platform);
  await hint(page).getByRole('button', { name: 'Install' }).click();
  await hint(page).waitFor({ state: 'gone' });
  expect(asked).toEqual(['install']);
});

test('an iPhone is told how', async () => {
  const page = await open(browserWith('share_menu').platform);
  expect(await hint(page).text()).toContain('tap Share, then “Add to Home Screen”');
  expect(hint(page).getByRole('button').texts()).toEqual(['Got it']);
});

test.each([
  ['before the first like', { ...browserWith('ask').platform }, UNLIKED],
  ['where the browser has no way', { ...browserWith(undefined).platform }, LIKED],
  ['in the desktop app', { kind: 'desktop', install: undefined } as const, LIKED],
])('nothing is offered %s', async (_, platform, post) => {
  const page = await open(platform, post);
  await posts(page).waitFor();
  expect(hint(page).count()).toBe(0);
});

test('the settings offer it at any time', async () => {
  const { platform, asked } = browserWith('ask');
  const page = await openPage('/my-settings', { user: OWNER, replica: {}, platform });
  await page.button('Install Ovation on this device').click();
  expect(asked).toEqual(['install']);
});
