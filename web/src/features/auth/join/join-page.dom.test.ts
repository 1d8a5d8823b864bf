import { expect, test } from 'vitest';
import {
  acceptInvitation,
  findInvitation,
  signUpInvited,
} from '#shared/contract/people/workspace.ts';
import { logout } from '#shared/contract/people/user.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const TOKEN = 'A'.repeat(43);
const FOUND = {
  workspaceName: 'Ada Lovelace',
  email: 'cy@example.test',
  role: 'Editor' as const,
  expiresAt: '2026-11-23T09:00:00.000Z',
  isKnown: false,
};
const OVER = 'This invitation was used or withdrawn, or its 48 hours are over. Ask for a new one.';

const open = (found: Partial<typeof FOUND>, options: Parameters<typeof openPage>[1] = {}) =>
  openPage(`/join#${TOKEN}`, {
    ...options,
    server: (server) => server.gives(findInvitation, { ...FOUND, ...found }),
  });

async function fill(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Cy Curie');
  await page.getByLabel('Password', { exact: true }).fill('a long enough phrase');
  await page.button('Sign up and accept').click();
}

test('who is new signs up by the link, and goes on in the workspace', async () => {
  let restarted = '';
  const page = await open({}, { platform: { restartAt: (path) => void (restarted = path) } });
  await page.getByText(/invites you to work in their workspace as an editor/).waitFor();
  await page.button('Sign up and accept').click();
  await page.getByText('Please enter your name').waitFor();
  expect(page.server.asked(signUpInvited)).toEqual([]);
  page.server.next(signUpInvited, lose, refuse('invitation_over', OVER));
  await fill(page);
  await page.getByText(/We couldn’t reach the server/).waitFor();
  await page.button('Sign up and accept').click();
  await page.getByText(OVER).waitFor();
  page.server.next(signUpInvited, succeed(signUpInvited, OWNER));
  await page.button('Sign up and accept').click();
  await expect.poll(() => restarted).toBe('/dashboard');
  expect(page.server.asked(signUpInvited)[0]?.input).toMatchObject({
    token: TOKEN,
    name: 'Cy Curie',
  });
  expect(localStorage.getItem('id')).toBe(OWNER.id);
});

test('who has an account logs in first, and comes back to the link', async () => {
  const page = await open({ isKnown: true });
  await page.getByRole('link', { name: 'Log in to accept' }).click();
  const login = `/login?next=${encodeURIComponent(`/join#${TOKEN}`)}`;
  await page.waitForPath(login);
  expect(page.path).toBe(login);
});

test('whoever is logged in with the address accepts with one press', async () => {
  let restarted = '';
  const there = { ...OWNER, id: '0192d3c0-0000-7000-8000-00000000e009' };
  const page = await open(
    { email: OWNER.email, isKnown: true },
    { user: OWNER, platform: { restartAt: (path) => void (restarted = path) } },
  );
  page.server.next(
    acceptInvitation,
    refuse('invitation_over', OVER),
    succeed(acceptInvitation, there),
  );
  await page.button('Accept invitation').click();
  await page.getByText(OVER).waitFor();
  await page.button('Accept invitation').click();
  await expect.poll(() => restarted).toBe('/dashboard');
  expect(localStorage.getItem('id')).toBe(there.id);
});

test('who is logged in with another address logs out right there, and goes on with the invitation', async () => {
  const page = await open({}, { user: OWNER });
  await page.getByText(`You’re logged in as ${OWNER.email}.`).waitFor();
  page.server.next(logout, lose, succeed(logout, null));
  await page.button('Log out').click();
  await page.getByText(/you may still be logged in/).waitFor();
  await page.button('Log out').click();
  await page.getByLabel('Name').waitFor();
  expect(localStorage.getItem('id')).toBeNull();
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual([]);
});

test('an invitation that is over says what to do', async () => {
  const over = await openPage(`/join#${TOKEN}`, {
    server: (server) => server.next(findInvitation, refuse('invitation_over', OVER)),
  });
  await over.getByText(OVER).waitFor();
  expect(over.server.asked(findInvitation)[0]?.input).toEqual({ token: TOKEN });
  // Asked again, it would still be over.
  expect(over.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('an invitation that could not be read is read again with one press', async () => {
  const page = await openPage(`/join#${TOKEN}`, {
    server: (server) => {
      server.next(findInvitation, lose);
      server.gives(findInvitation, FOUND);
    },
  });
  await page.button('Try again').click();
  await page.getByText(/invites you to work in their workspace/).waitFor();
  expect(page.server.asked(findInvitation)).toHaveLength(2);
});
