import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, saveClient, setClient } from '#shared/contract/accounts/clients.ts';
import {
  changeMember,
  type ClientGrant,
  findTeam,
  grantClients,
  inviteMember,
  removeMember,
} from '#shared/contract/people/team.ts';
import { signUpInvited } from '#shared/contract/people/workspace.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { patiently } from '#test/patience.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { heldRows, leftBehind, notedGone, noteWhenGone } from './left-behind.ts';
import type { Product } from './product.ts';
import { loadLikesDialog, queueLikes } from './queue-likes.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';
import { openMarked } from './subscriber.ts';

const NAME = 'team.owner';
const GONE = 'You’re no longer a member of that workspace.';
/** By itself a page would take its stream for dead after 50 s: what is sooner it was told of. */
const TOLD_MS = patiently(20_000);

const shared = shareProduct();
let product: Product;
let front: FrontServer;
let browser: Browser;
let sandbox: SandboxControl;
let owner: Spender;
/** Of the members, one after the other: who was removed has left nothing there. */
let device: BrowserContext;

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
  sandbox = sandboxControl(product.sandboxUrl);
  const journeys = { browser, product: { ...product, url: front.url }, sandbox };
  owner = await spenderPage(journeys, NAME);
  device = await browser.newContext({ viewport: { width: 1280, height: 900 } });
});
afterAll(async () => {
  await front.stop();
});

/** A call of the owner's, past the members' network. */
async function asOwner<T>(path: string, fields: object): Promise<T> {
  const cookies = await owner.page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(product.url + path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: owner.userId, ...fields }),
  });
  return ((await answer.json()) as { data: T }).data;
}

async function memberOf(email: string): Promise<string> {
  const { members } = await asOwner<{ members: Array<{ id: string; email: string }> }>(
    findTeam.path,
    {},
  );
  return members.find((each) => each.email === email)?.id ?? '';
}

/** Invites an address; answers what the mailed link has. */
async function invite(email: string, role: Role): Promise<string> {
  await asOwner(inviteMember.path, { email, role });
  let token: string | undefined;
  await expect
    .poll(async () => {
      const mails = await sandbox.listMails(email);
      token = mails.map(({ text }) => /\/join#([\w-]{43})/.exec(text)?.[1]).find(Boolean);
      return token;
    })
    .toBeDefined();
  return String(token);
}

/** Follows the mailed link until the workspace is shown. */
async function join(email: string, role: Role): Promise<Page> {
  const page = await device.newPage();
  await page.goto(`${front.url}/join#${await invite(email, role)}`);
  await page.getByLabel('Name', { exact: true }).fill('Bob Boole');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up and accept' }).click();
  await page.waitForURL('**/dashboard');
  await isShown(page);
  return page;
}

/** The same by a call. */
async function joined(email: string, role: Role): Promise<Page> {
  const token = await invite(email, role);
  const data = { token, name: 'Bob Boole', password: 'correct horse battery' };
  const answer = await device.request.post(front.url + signUpInvited.path, { data });
  const { id } = ((await answer.json()) as { data: { id: string } }).data;
  const page = await openMarked(device, { ...product, url: front.url }, id, true);
  await page.goto(`${front.url}/dashboard`);
  await isShown(page);
  return page;
}

async function isShown(page: Page): Promise<void> {
  await page.locator('[data-post]').first().waitFor();
  await page.locator('header [data-kind="live"]').waitFor();
}

test('somebody invited sees the workspace without its money, switches to their own and back, and a removal is gone from the open page', async ({
  annotate,
}) => {
  const page = await join('team.editor@example.test', 'Editor');
  await expect.poll(() => page.getByRole('button', { name: /buy credits$/ }).count()).toBe(0);
  await expect
    .poll(() => page.getByRole('button', { name: 'Manage account' }).count())
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Workspace: Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Bob Boole (Owner)' }).click();
  await page.waitForURL('**/my-subscriptions');
  await page.getByText('No accounts yet').waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NAME);
  await page.getByRole('button', { name: 'Workspace: Bob Boole' }).click();
  await page.getByRole('menuitem', { name: 'Ada Lovelace (Editor)' }).click();
  await isShown(page);

  const memberId = await memberOf('team.editor@example.test');
  await noteWhenGone(page);
  const askedAt = Date.now();
  await asOwner(removeMember.path, { memberId });
  await page.waitForURL(({ pathname }) => pathname === '/login');
  const goneAt = await notedGone(page);
  await annotate(`gone ${Number(goneAt) - askedAt} ms after the removal was asked for`);
  expect(Number(goneAt) - askedAt).toBeLessThan(TOLD_MS);
  await page.getByText(`${GONE} Nothing is kept on this device.`).waitFor();
  expect(await leftBehind(page)).toEqual({ records: {}, images: [] });
  await page.close();
});

/** Somebody in two tests, by turns with other rights. */
let granted: Page;
let memberId: string;

test('a role taken away takes the credits off the open page; a client taken away is gone from it and its replica, and comes back when it is granted again', async ({
  annotate,
}) => {
  const page = await joined('team.granted@example.test', 'Manager');
  await page.getByRole('button', { name: /buy credits$/ }).waitFor();
  memberId = await memberOf('team.granted@example.test');
  await asOwner(changeMember.path, { memberId, role: 'Viewer' });
  await page.getByRole('button', { name: /buy credits$/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Manage account' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('[data-post]').count()).toBeGreaterThan(0);

  const clients = await asOwner<Client[]>(saveClient.path, { name: 'Bakery' });
  const clientId = clients[0]?.id ?? '';
  await asOwner(setClient.path, { igUsernames: [NAME], clientId });
  const grant = (grants: ClientGrant[]) =>
    asOwner(grantClients.path, { memberId, allClients: false, grants });
  const holding = [{ clientId, role: 'Viewer' as const }];
  // Into the scope of their own, with what they saw before.
  await grant(holding);
  await expect.poll(() => heldRows(page, memberId)).toBeGreaterThan(0);
  await isShown(page);

  await noteWhenGone(page);
  const askedAt = Date.now();
  await grant([]);
  await expect.poll(() => heldRows(page, memberId)).toBe(0);
  await expect.poll(() => notedGone(page)).toBeDefined();
  const goneAt = await notedGone(page);
  await annotate(`gone ${Number(goneAt) - askedAt} ms after the client was taken away`);
  expect(Number(goneAt) - askedAt).toBeLessThan(TOLD_MS);

  await grant(holding);
  await page.locator('[data-post]').first().waitFor();
  granted = page;
});

test('a removed member who is offline loses everything at the next contact, and an order that was never sent is refused', async () => {
  const page = granted;
  await asOwner(changeMember.path, { memberId, role: 'Manager' });
  await asOwner(grantClients.path, { memberId, allClients: true, grants: [] });
  await page.getByRole('button', { name: /buy credits$/ }).waitFor();
  await isShown(page);
  const card = page.locator('[data-post]').first();
  await loadLikesDialog(card);
  front.isThere = false;
  await page.locator('header [data-kind="offline"]').waitFor();
  await queueLikes(card, 40);
  await asOwner(removeMember.path, { memberId });
  front.isThere = true;
  await page.waitForURL(({ pathname }) => pathname === '/login');
  await page
    .getByText(
      `${GONE} One change that was never sent was refused. Nothing is kept on this device.`,
    )
    .waitFor();
  expect(await leftBehind(page)).toEqual({ records: {}, images: [] });
});
