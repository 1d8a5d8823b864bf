import { expect, test } from 'vitest';
import { createBrowserPush } from './browser-push.ts';
import { FakePushBrowser } from './push-browser.fake.ts';

function open(settings: Partial<FakePushBrowser> = {}) {
  const browser = Object.assign(new FakePushBrowser(), settings);
  const push = createBrowserPush(browser);
  if (!push) throw new Error('This browser has push');
  return { browser, push };
}

test('a browser that lacks a part of push has none', () => {
  for (const missing of ['PushManager', 'Notification'] as const) {
    const browser = Object.assign(new FakePushBrowser(), { [missing]: undefined });
    expect(createBrowserPush(browser)).toBeUndefined();
  }
  const insecure = Object.assign(new FakePushBrowser(), { navigator: {} });
  expect(createBrowserPush(insecure)).toBeUndefined();
});

test('nobody is asked before they want it; then the server gets where to send and both keys', async () => {
  const { browser, push } = open();
  expect([await push.isOn(), browser.asked]).toEqual([false, 0]);
  expect(await push.subscribe('server-key')).toEqual({
    endpoint: 'https://push.example/server-key/1',
    p256dh: 'p256dh-1',
    auth: 'auth-1',
  });
  expect([await push.isOn(), browser.asked]).toEqual([true, 1]);
});

test('a person who says no is not subscribed, and the push service is not asked', async () => {
  const { browser, push } = open({ answer: 'denied' });
  expect(await push.subscribe('server-key')).toBe('no_permission');
  expect([await push.isOn(), browser.subscription]).toEqual([false, undefined]);
});

test('after a move of the server its new key replaces the old one', async () => {
  const { browser, push } = open();
  await push.subscribe('old-key');
  expect(await push.subscribe('new-key')).toMatchObject({ auth: 'auth-2' });
  expect(browser.subscription?.key).toBe('new-key');
});

test.each([
  ['the push service refuses', { isRefusing: true }],
  ['there is no service worker', { hasWorker: false }],
  ['service workers are blocked', { isWorkerBlocked: true }],
  ['the browser gives no keys', { isKeyless: true }],
])('said as a service that could not be reached: %s', async (_what, settings) => {
  const { push } = open(settings);
  expect(await push.subscribe('server-key')).toBe('no_service');
});

test('a permission taken back in the browser turns it off, and given again on', async () => {
  const { browser, push } = open();
  await push.subscribe('server-key');
  browser.permission = 'denied';
  expect(await push.isOn()).toBe(false);
  browser.permission = 'granted';
  expect(await push.isOn()).toBe(true);
});

test('turned off nothing is sent here any more; that nothing was on, or nothing answers, is no error', async () => {
  const { browser, push } = open();
  await push.unsubscribe();
  await push.subscribe('server-key');
  await push.unsubscribe();
  expect([await push.isOn(), browser.subscription]).toEqual([false, undefined]);
  browser.isWorkerBlocked = true;
  await expect(push.unsubscribe()).resolves.toBeUndefined();
});
