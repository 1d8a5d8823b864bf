import { expect, test } from 'vitest';
import { exportData, updatePassword, updateProfile } from '#shared/contract/people/own-account.ts';
import { findPush, removePush, savePush } from '#shared/contract/people/push.ts';
import { addTicket } from '#shared/contract/people/visitor.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { breakDown, lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { createNoticeSwitch } from '#web/platform/browser-notices.ts';
import { createBrowserPush } from '#web/platform/browser-push.ts';
import { memoryStorage } from '#web/platform/platform-storage.fake.ts';
import { FakePushBrowser } from '#web/platform/push-browser.fake.ts';

const TICKET = '0192d3c0-0000-7000-8000-0000000000f2';
const open = (options: Parameters<typeof openPage>[1] = {}): Promise<Page> =>
  openPage('/my-settings', { user: OWNER, replica: {}, ...options });

// Shows facts 2.67, 2.69.
test('the settings show the e-mail address read-only and save the name', async () => {
  const page = await open();
  const email = page.getByRole('textbox', { name: 'Email' }).first();
  await email.waitFor();
  expect(await email.inputValue()).toBe(OWNER.email);
  expect(await email.getAttribute('readonly')).not.toBeNull();
  await page.getByText('You log in with this email, so it can’t be changed.').waitFor();
  const name = page.getByLabel('Name', { exact: true }).first();
  await name.fill('');
  await page.button('Save details').click();
  await page.getByText('Please enter your name').waitFor();
  expect(page.server.asked(updateProfile)).toEqual([]);
  page.server.gives(updateProfile, { ...OWNER, name: 'אדה' });
  await name.fill('אדה');
  await page.button('Save details').click();
  await page.toasts.getByText('Details saved').waitFor();
  expect(page.server.asked(updateProfile)[0]?.input).toMatchObject({ name: 'אדה' });
});

test('before an account is deleted it says which credits are lost and which refund still comes', async () => {
  const [account] = OWNER.connectedAccounts;
  if (!account) throw new Error('The owner has no account');
  const refunded = { ...account, igUsername: 'was.refunded', moneyBackState: 'Requested' as const };
  const user = { ...OWNER, credits: 7960, connectedAccounts: [account, refunded] };
  const page = await open({ user });
  await page.button('Delete account').waitFor();
  expect(page.locator('main li').texts()).toEqual(
    expect.arrayContaining([
      'Deliveries in progress stop, and 7,960 unused credits will be lost.',
      'The refund you’ve asked for, for @was.refunded, will still be paid.',
    ]),
  );
});

test('the list beside the settings leads to each part of them', async () => {
  const page = await open();
  await page.button('Save details').waitFor();
  const [list] = page.getByRole('navigation', { name: 'On this page' }).all();
  const links = [...(list?.querySelectorAll('a') ?? [])];
  const parts = [...document.querySelectorAll('main section')];
  expect(links.map(({ hash }) => hash.slice(1))).toEqual(parts.map(({ id }) => id));
  expect(links.map(({ textContent }) => textContent)).toEqual(
    parts.map((part) => part.querySelector('h2')?.textContent),
  );
});

test('the device in one’s hand is in use now, others say when they were last seen', async () => {
  const device = {
    userAgent: 'Firefox/145.0',
    createdAt: '2026-11-20T09:00:00.000Z',
    lastSeenAt: '2026-11-21T09:00:00.000Z',
    expiresAt: '2026-12-20T09:00:00.000Z',
  };
  const ids = ['0192d3c0-0000-7000-8000-0000000000d1', '0192d3c0-0000-7000-8000-0000000000d2'];
  const page = await open({ replica: { device: ids.map((id) => ({ ...device, id })) } });
  const devices = page.locator('main li');
  await devices.filter({ hasText: '(this device)' }).getByText('In use now').waitFor();
  await devices.getByText(/^Last seen Nov 21, 2026/).waitFor();
  expect(page.getByText('In use now').count()).toBe(1);
});

// Shows facts 2.68, 2.69, 5.08.
test('a password change asks for the current one and for the new one twice', async () => {
  const page = await open();
  const fill = async (current: string, next: string, again: string): Promise<void> => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByLabel('Confirm password').fill(again);
    await page.button('Save password').click();
  };
  await fill('wrong', 'a new long password', 'another password');
  await page.getByText('Passwords do not match.').waitFor();
  await fill('wrong', 'short', 'short');
  await page.getByText('Password must be 8 to 128 characters.').waitFor();
  expect(page.server.asked(updatePassword)).toEqual([]);
  const wrong = 'Your current password isn’t right.';
  page.server.next(
    updatePassword,
    refuse('wrong_credentials', wrong, { currentPassword: wrong }),
    lose,
    succeed(updatePassword, null),
  );
  await fill('not the one', 'a new long password', 'a new long password');
  await page.getByText(wrong).waitFor();
  await page.button('Save password').click();
  await page.getByText('If your current password no longer works').waitFor();
  expect(await page.getByLabel('New password').inputValue()).toBe('a new long password');
  await page.button('Save password').click();
  await page.toasts.getByText('Password changed successfully!').waitFor();
});

test('nobody is asked for notifications but by their switch, which says what the browser allows', async () => {
  const browser = { asked: 0, permission: 'denied' as NotificationPermission };
  const notices = createNoticeSwitch(
    {
      get permission() {
        return browser.permission;
      },
      requestPermission: async () => {
        browser.asked += 1;
        return browser.permission;
      },
    },
    memoryStorage(),
  );
  const page = await open({ platform: { notices } });
  const tell = page.getByRole('switch', { name: /^Notify me here/ });
  const state = async (): Promise<[boolean, number]> => [await tell.isChecked(), browser.asked];
  await expect.poll(() => tell.isEnabled()).toBe(true);
  expect(await state()).toEqual([false, 0]);
  await tell.click();
  await page.getByText('Your browser doesn’t allow this.').waitFor();
  expect(await state()).toEqual([false, 1]);
  browser.permission = 'granted';
  await tell.click();
  await expect.poll(state).toEqual([true, 2]);
  await page.getByText('Your browser doesn’t allow this.').waitFor({ state: 'gone' });
  await tell.click();
  await expect.poll(state).toEqual([false, 2]);
});

test('an email when likes are done is off until its switch is pressed, which the server is told', async () => {
  const page = await open();
  const mail = page.getByRole('switch', { name: 'Email me when likes are done' });
  await expect.poll(() => mail.isEnabled()).toBe(true);
  expect(await mail.isChecked()).toBe(false);
  await mail.click();
  await expect.poll(() => mail.isChecked()).toBe(true);
  await expect
    .poll(() => page.leader?.sent)
    .toMatchObject([{ name: 'setPreferences', args: { likesDoneMail: true } }]);
});

test('push of this browser says who refused it, is told to the server, and can be turned off', async () => {
  const browser = Object.assign(new FakePushBrowser(), { answer: 'denied', isRefusing: true });
  const page = await open({ platform: { push: createBrowserPush(browser) } });
  page.server.gives(findPush, { publicKey: 'key', isOn: true });
  page.server.gives(savePush, null);
  page.server.gives(removePush, null);
  const tell = page.getByRole('switch', { name: /^Notify me in this browser/ });
  await expect.poll(() => tell.isEnabled()).toBe(true);
  await tell.click();
  await page.getByText('Your browser doesn’t allow this.').waitFor();
  browser.answer = 'granted';
  await tell.click();
  await page.getByText('reach your browser’s push service').waitFor();
  expect(page.server.asked(savePush)).toEqual([]);
  browser.isRefusing = false;
  await tell.click();
  await expect.poll(() => tell.isChecked()).toBe(true);
  const told = { endpoint: 'https://push.example/key/1', p256dh: 'p256dh-1', auth: 'auth-1' };
  expect(page.server.asked(savePush)[0]?.input).toMatchObject(told);
  await tell.click();
  await expect.poll(() => tell.isChecked()).toBe(false);
  expect([browser.subscription, page.server.asked(removePush).length]).toEqual([undefined, 1]);
});

test('a question whose answer was lost is sent again under its key; another text is another question', async () => {
  const page = await open();
  const form = page.getByRole('form', { name: 'Contact' });
  page.server.next(addTicket, lose);
  page.server.gives(addTicket, { ticketId: TICKET });
  await form.getByLabel('Message').fill('When is my first like?');
  await page.button('Send message').click();
  await form.getByText('Your message is still here.').waitFor();
  expect(await form.getByLabel('Message').inputValue()).toBe('When is my first like?');
  await page.button('Send message').click();
  await form.getByText(/Your message is on its way/).waitFor();
  await form.getByLabel('Message').fill('And my second?');
  await page.button('Send message').click();
  await expect.poll(() => page.server.asked(addTicket)).toHaveLength(3);
  const [first, again, other] = page.server
    .asked(addTicket)
    .map(({ idempotencyKey }) => idempotencyKey);
  expect(first).toMatch(/^[-\da-f]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('the button that sends a message to support is idle, loading, and idle again', async () => {
  const page = await open();
  await page.getByLabel('Message').fill('Does this arrive?');
  await expectLoads(page, page.button('Send message'), addTicket);
  await page.getByText('Your message is still here.').waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('Does this arrive?');
});

test('compact density stands on the page and is kept; data are downloaded, and an answer that can’t be read is said', async () => {
  const saved: string[] = [];
  const page = await open({
    platform: { saveFile: (_name, content) => void saved.push(String(content)) },
  });
  await page.getByLabel('Compact').click();
  expect(document.documentElement.dataset['density']).toBe('compact');
  page.server.next(exportData, breakDown);
  page.server.on(exportData, succeed(exportData, { user: { email: OWNER.email } }));
  await page.button('Download my data').click();
  await page.getByText('Something went wrong, so nothing was downloaded').waitFor();
  await page.button('Download my data').click();
  await expect.poll(() => saved.join('')).toContain(OWNER.email);
});

test('the desktop app says what this computer doesn’t let it do, shows its log, and may end with its window', async () => {
  const problem = 'Notices aren’t shown here.';
  let revealed = 0;
  const support = {
    readProblems: async () => [problem],
    revealLogs: () => void (revealed += 1),
  };
  const chosen: boolean[] = [];
  const keepRunning = {
    read: async () => true,
    set: async (isOn: boolean) => {
      chosen.push(isOn);
      return isOn;
    },
  };
  const page = await open({ platform: { support, keepRunning } });
  await page.getByText(problem).waitFor();
  const goesOn = page.getByLabel('Keep Ovation running when its window is closed');
  await expect.poll(() => goesOn.isChecked()).toBe(true);
  await goesOn.click();
  await expect.poll(() => goesOn.isChecked()).toBe(false);
  expect(chosen).toEqual([false]);
  await page.button('Reveal logs').click();
  expect(revealed).toBe(1);
});
