import { expect, test } from 'vitest';
import type { Role } from '#shared/domain/people/may.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const WORKSPACE = '0192d3c0-0000-7000-8000-0000000000f1';
const BAKERY = { id: '0192d3c0-0000-7000-8000-0000000000c1', name: 'Alder Bakery' };
const account = accountExample({ client: BAKERY });

/** The table as somebody with the role for all clients sees it, or for one. */
function open(path: string, role: Role, isForOne: boolean): Promise<Page> {
  const granted = { allClients: false, grants: [{ clientId: BAKERY.id, role: 'Viewer' as const }] };
  const membership = { workspaceId: WORKSPACE, role, people: 3, workspaces: [] };
  return openPage(path, {
    user: userExample({
      connectedAccounts: [account],
      membership: isForOne ? { ...membership, ...granted } : membership,
    }),
    replica: {},
  });
}

const heads = (): string[] =>
  [...document.querySelectorAll('[role="columnheader"]')].map((head) => head.textContent);
const MONEY = ['Next charge', 'Amount', 'Per month'];
/** Asks for each of them, and for what they are filtered and sorted by. */
const ALL = '/my-subscriptions?columns=name,next,amount,price,plan&sort=-amount&where.amount=1..';

test('who may see money has its columns, and its filters', async () => {
  const page = await open(ALL, 'Manager', false);
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  expect(MONEY.filter((label) => heads().includes(label))).toEqual(MONEY);
  await page.getByText(/Amount: /).waitFor();
});

test.each([
  { who: 'a client in its portal', role: 'Viewer' as const, isForOne: true },
  { who: 'an editor of all clients', role: 'Editor' as const, isForOne: false },
])('no column, sum, filter or order of money is there for $who', async ({ role, isForOne }) => {
  const page = await open(ALL, role, isForOne);
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  expect(heads()).toEqual(['', 'Account', 'Plan', 'Manage']);
  await page.button('Columns').click();
  const words = document.body.textContent;
  expect([...MONEY, '$'].filter((word) => words.includes(word))).toEqual([]);
});

test('the list of few accounts has no money for who may not see it', async () => {
  const page = await open('/my-subscriptions', 'Viewer', true);
  await page.getByRole('table', { name: 'Connected accounts' }).waitFor();
  const words = document.body.textContent;
  expect([...MONEY, '$'].filter((word) => words.includes(word))).toEqual([]);
});
