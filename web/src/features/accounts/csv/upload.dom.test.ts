import { expect, onTestFinished, test } from 'vitest';
import { planBulk } from '#shared/contract/accounts/bulk.ts';
import { findClients } from '#shared/contract/accounts/clients.ts';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';
import { fileId } from './file-columns.ts';

const accounts = ['ada', 'bob', 'cy'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: `1784140000000000${nth}`, accountPackageId: 2, tags: [] }),
);
const HEADS = ['ID', 'Account', 'Status', 'Plan', 'Tags'];
const lines = accounts.map(({ igId, igUsername }) => [
  fileId(igId),
  igUsername,
  'Active',
  '100',
  '',
]);

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload a CSV' });

/** Opens the dialog and chooses a file with these bytes. */
async function upload(page: Page, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await page.button('Upload CSV').click();
  await dialog(page).getByText('CSV file').waitFor();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  const file = new File([bytes], 'accounts.csv', { type: 'text/csv' });
  Object.defineProperty(input, 'files', { value: [file] });
  input?.dispatchEvent(new Event('change', { bubbles: true }));
}

const textOf = (saved: string | Uint8Array | undefined): string =>
  typeof saved === 'string' ? saved : new TextDecoder('utf-8', { ignoreBOM: true }).decode(saved);

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function openDesk(options: Parameters<typeof openPage>[1] = {}): Promise<Page> {
  const user = userExample({ connectedAccounts: accounts });
  const page = await openPage('/my-subscriptions?q=', { user, replica: {}, ...options });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  return page;
}

test('what is saved is what is read: nothing changes, and what was edited goes to the diff', async () => {
  const saved: Array<string | Uint8Array> = [];
  const page = await openDesk({ platform: { saveFile: (_, text) => void saved.push(text) } });
  await page.button('Download CSV').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save as CSV' }).click();
  const text = String(saved[0]);
  expect(text.startsWith(`${UTF8_MARK}ID,Account,Tags,Status,Plan,`)).toBe(true);
  expect(text.split('\r\n')[1]).toMatch(/^ig-17841400000000000,ada,/);
  await upload(page, bytesOf(text));
  await dialog(page).getByText('3 rows: 0 with changes, 3 without, 0 with errors.').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();

  const items = [lines[0] ?? [], [...(lines[1] ?? []).slice(0, 3), '500', 'VIP'], lines[2] ?? []];
  await upload(page, bytesOf(csvOf([HEADS, ...items])));
  await dialog(page).getByText('Edits in other columns change nothing: Status.').waitFor();
  await dialog(page).getByRole('button', { name: 'Check 2 changes' }).click();
  await page.getByRole('dialog', { name: 'Check changes' }).waitFor();
  await expect
    .poll(() => page.server.asked(planBulk)[0]?.input.changes)
    .toEqual([
      { igUsername: 'bob', change: { kind: 'plan', packageIndex: 4 } },
      { igUsername: 'bob', change: { kind: 'tags', add: ['VIP'], remove: [] } },
    ]);
});

test('faults stand with line and column, and can be had as a file with their reasons', async () => {
  const saved: Array<string | Uint8Array> = [];
  const page = await openDesk({ platform: { saveFile: (_, text) => void saved.push(text) } });
  const text = csvOf([HEADS, ['', 'ada', '', '123', ''], ['', 'nobody', '', '100', '=1+1']]);
  await upload(page, bytesOf(text));
  await dialog(page).getByText('2 rows: 0 with changes, 0 without, 2 with errors.').waitFor();
  await dialog(page).getByText('Line 2, Plan: There is no plan of 123 likes per post.').waitFor();
  await dialog(page)
    .getByText('Line 3, Account: @nobody isn’t one of your connected accounts.')
    .waitFor();
  expect(
    dialog(page)
      .getByRole('button', { name: /^Check/ })
      .count(),
  ).toBe(0);
  await dialog(page).getByRole('button', { name: 'Download the rows with errors' }).click();
  expect(textOf(saved[0]).split('\r\n').slice(0, 3)).toEqual([
    `${UTF8_MARK}Line,Column,Reason,ID,Account,Status,Plan,Tags`,
    '2,Plan,There is no plan of 123 likes per post.,,ada,,123,',
    "3,Account,@nobody isn’t one of your connected accounts.,,nobody,,100,'=1+1".replace(
      ',@',
      ",'@",
    ),
  ]);
});

test('of a file that can’t be read at all stands why, and neither figures nor a file of rows', async () => {
  const page = await openDesk();
  await upload(page, bytesOf('Foo;Bar\r\na;b\r\n'));
  await dialog(page).getByText('No column is called “ID” or “Account”').waitFor();
  expect(dialog(page).getByText('0 rows').count()).toBe(0);
  expect(dialog(page).getByRole('button', { name: 'Download the rows with errors' }).count()).toBe(
    0,
  );
});

test('a file as Windows wrote it is read, and that is said', async () => {
  const page = await openDesk();
  const text = 'Account;Tags\r\nada;Caf#\r\n';
  const bytes = bytesOf(text).map((byte) => (byte === 35 ? 0xe9 : byte));
  await upload(page, bytes);
  await dialog(page).getByText('This file isn’t UTF-8, so we read it as Windows-1252.').waitFor();
  await dialog(page).getByRole('button', { name: 'Check 1 change' }).click();
  await expect
    .poll(() => page.server.asked(planBulk)[0]?.input.changes[0]?.change)
    .toEqual({ kind: 'tags', add: ['Café'], remove: [] });
});

test('a manager’s file moves accounts between clients, compared with those that are there now', async () => {
  const archivedAt = null;
  const bakery = { id: '0192d3c0-0000-7000-8000-00000000e0c1', name: 'Bakery' };
  const user = userExample({
    connectedAccounts: accounts.map((account) => ({ ...account, client: bakery })),
  });
  const page = await openPage('/my-subscriptions?q=', {
    user,
    replica: {},
    server: (server) => {
      const cinema = { id: '0192d3c0-0000-7000-8000-00000000e0c2', name: 'Cinema' };
      const more = { accounts: 0, archivedAt };
      server.gives(findClients, [
        { ...bakery, ...more },
        { ...cinema, ...more },
      ]);
    },
  });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  const rows = ['ada,Cinema', 'bob,Bakery', 'cy,Dairy'];
  await upload(page, bytesOf(`Account,Client\r\n${rows.join('\r\n')}\r\n`));
  await dialog(page).getByText('Line 4, Client: There is no client called “Dairy”.').waitFor();
  await dialog(page).getByText('edit its Plan, Tags and Client columns').waitFor();
  await dialog(page).getByRole('button', { name: 'Check 1 change' }).click();
  await expect
    .poll(() => page.server.asked(planBulk)[0]?.input.changes)
    .toEqual([
      {
        igUsername: 'ada',
        change: { kind: 'client', clientId: '0192d3c0-0000-7000-8000-00000000e0c2' },
      },
    ]);
});

test('clients that can’t be asked for are said to be so, and nothing is compared without them', async () => {
  const bakery = { id: '0192d3c0-0000-7000-8000-00000000e0c1', name: 'Bakery' };
  const [first = accountExample()] = accounts;
  const user = userExample({ connectedAccounts: [{ ...first, client: bakery }] });
  const page = await openPage('/my-subscriptions?q=', {
    user,
    replica: {},
    server: (server) => server.next(findClients, refuse('overloaded', 'Please try again shortly.')),
  });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  await upload(page, bytesOf('Account,Client\r\nada,\r\n'));
  await dialog(page).getByText('Please try again shortly.').waitFor();
  expect(
    dialog(page)
      .getByRole('button', { name: /^Check/ })
      .count(),
  ).toBe(0);
});

test('offline a file is read and compared at once, but for its clients, and what comes next is said', async () => {
  const bakery = { id: '0192d3c0-0000-7000-8000-00000000e0c1', name: 'Bakery' };
  const user = userExample({
    connectedAccounts: accounts.map((account) => ({ ...account, client: bakery })),
  });
  // As a worker whose script can’t be fetched.
  const { Worker: before } = globalThis;
  globalThis.Worker = class extends EventTarget {
    postMessage(): void {
      this.dispatchEvent(new ErrorEvent('error', { cancelable: true }));
    }
    terminate(): void {}
  } as unknown as typeof Worker;
  onTestFinished(() => {
    globalThis.Worker = before;
  });
  const page = await openDesk({ user, platform: { isOnline: () => false } });
  await upload(page, bytesOf('Account,Tags,Client\r\nada,VIP,Dairy\r\nnobody,,\r\n'));
  await dialog(page).getByText('2 rows: 1 with changes, 0 without, 1 with errors.').waitFor();
  await dialog(page).getByText('Clients are compared once you’re connected.').waitFor();
  await dialog(page).getByText('Connect to see prices and make the changes.').waitFor();
  const check = dialog(page).getByRole('button', { name: 'Check 1 change' });
  expect(await check.isEnabled()).toBe(false);
});
