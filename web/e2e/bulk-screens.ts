import type { Locator, Page } from 'playwright-core';
import {
  type BulkItem,
  type BulkOperation,
  findBulk,
  findBulkItems,
} from '#shared/contract/accounts/bulk.ts';
import { findMadeItems, type MadeItem } from '#shared/contract/made-items.ts';
import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { csvOf } from '#shared/domain/accounts/csv.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { operationExample } from '#web/testing/examples.ts';
import { answer, readUser } from './answered-screens.ts';
import type { Product } from './product.ts';
import type { Screen } from './screens.ts';
import { pressForSelection } from './selection-bar.ts';

const DESK = '/my-subscriptions?sort=-amount';
const [FROM, PLAN] = [getPlan(3), getPlan(6)];
/** What each changed plan was charged, and costs more a month. */
const [CHARGED, MORE] = [37.5, PLAN.priceVal - FROM.priceVal];
/** Of an operation, so many are pauses. */
const PAUSES = 4;

const operation = (nth: number, changes: Partial<BulkOperation>): BulkOperation =>
  operationExample({
    operationId: `0192d3c0-0000-7000-8000-0000000000b${nth}`,
    done: 212,
    failed: 0,
    startedAt: `2026-11-2${3 - nth}T15:10:00.000Z`,
    ...changes,
  });
const RUNNING = operation(0, {
  state: 'running',
  canStop: true,
  waiting: 91,
  done: 118,
  failed: 3,
  today: 118 * CHARGED,
  month: 118 * MORE,
});
const SOME_FAILED = operation(1, {
  kinds: ['pause', 'plan'],
  done: 9,
  failed: 3,
  today: (9 - PAUSES) * CHARGED,
  month: (9 - PAUSES) * MORE,
  undoable: PAUSES,
  undoUntil: '2026-11-22T15:20:00.000Z',
});
const STOPPED = operation(2, {
  by: 'Charles Babbage-Featherstonehaugh',
  done: 120,
  failed: 92,
  stopped: 92,
  today: 120 * CHARGED,
  month: 120 * MORE,
});
const RECENT = [RUNNING, SOME_FAILED, STOPPED, operation(3, { isUndo: true, done: 1 })];

const FAILED: BulkItem[] = [
  ['aurelie.lumen', 'Your card was declined. Please try another card.'],
  ['a.name.of.thirty.characters.ok', 'This plan is paused. Resume it before you change it.'],
  ['bakery', '@bakery isn’t one of your connected accounts.'],
].map(([igUsername = '', reason = ''], position) => ({
  position,
  igUsername,
  change: { kind: 'plan', packageIndex: PLAN.number },
  outcome: 'failed',
  reason,
  today: 0,
  month: 0,
}));

const LEFT: BulkItem[] = Array.from({ length: 92 }, (_, position) => ({
  position,
  igUsername: `baker.${position + 1}`,
  change: { kind: 'plan', packageIndex: PLAN.number },
  outcome: 'failed',
  reason: 'Ada Lovelace stopped this before anything was changed.',
  isStopped: true,
  today: 0,
  month: 0,
}));

/** The first page of what was made, the pauses at the top. */
const made = (count: number, pauses: number): MadeItem[] =>
  Array.from({ length: Math.min(count, BULK_LIMITS.page) }, (_, position) => {
    const igUsername =
      ['ada.paints', 'a.name.of.thirty.characters.ok'][position] ?? `florist.${position + 1}`;
    return position < pauses
      ? {
          position,
          igUsername,
          change: { kind: 'pause', until: '2026-12-01T05:00:00.000Z' },
          undo: { kind: 'resume' },
          fromPlan: FROM.number,
          charged: 0,
        }
      : {
          position,
          igUsername,
          change: { kind: 'plan', packageIndex: PLAN.number },
          undo: null,
          fromPlan: FROM.number,
          charged: CHARGED,
        };
  });

const changing = (page: Page): Locator =>
  page.getByRole('dialog', {
    name: /^(?:Change plans|Delivery settings|(?:Check|Proposed|Recent) changes)$/,
  });

async function choose(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all that match' }).check();
  await pressForSelection(page, 'Change plans');
  await changing(page).getByLabel('New plan', { exact: true }).waitFor();
}

async function openPrices(page: Page): Promise<void> {
  await choose(page);
  await changing(page).getByLabel('New plan', { exact: true }).selectOption(String(PLAN.number));
  await changing(page).getByRole('button', { name: 'Check the changes' }).click();
  await changing(page).getByRole('region', { name: 'What changes' }).waitFor();
}

async function openPause(page: Page): Promise<void> {
  await answer(page, findBulk.path, RECENT);
  await choose(page);
  await changing(page).getByRole('combobox').first().selectOption('pause');
  await changing(page).getByLabel('Pause until', { exact: true }).waitFor();
  await changing(page).getByRole('region', { name: 'Recent changes' }).waitFor();
}

async function openRecent(page: Page): Promise<void> {
  await answer(page, findBulk.path, RECENT);
  await answer(page, findBulkItems.path, FAILED);
  await answer(page, findMadeItems.path, made(SOME_FAILED.done, PAUSES));
  await page.getByRole('button', { name: 'Recent changes' }).click();
  await changing(page).getByRole('region', { name: 'Recent changes' }).waitFor();
}

async function openStopped(page: Page): Promise<void> {
  await openRecent(page);
  await answer(page, findBulkItems.path, LEFT);
  await answer(page, findMadeItems.path, made(STOPPED.done, 0));
  const line = changing(page).getByRole('listitem').filter({ hasText: 'Stopped.' });
  await line.getByRole('button', { name: 'Show', exact: true }).click();
  await changing(page).getByText('and 82 more: Ada Lovelace stopped this').waitFor();
  await changing(page).getByRole('region', { name: 'What was changed' }).waitFor();
}

const openOperation =
  (name: string, shown: string) =>
  async (page: Page): Promise<void> => {
    await openRecent(page);
    await changing(page).getByRole('button', { name, exact: true }).first().click();
    await changing(page).getByText(shown).waitFor();
  };

/** Rows of all accounts, the first one with another plan, each with a tag more; a column that isn’t read. */
async function editedRows(page: Page, product: Product): Promise<string[][]> {
  const { connectedAccounts } = await readUser(page, product);
  const rows = connectedAccounts.map(({ igUsername, tags, accountPackageId }) => [
    igUsername,
    accountPackageId === null ? '' : String(PLAN.likes),
    [...tags, 'Spring'].join(', '),
    'Active',
  ]);
  return [['Account', 'Plan', 'Tags', 'Status'], ...rows];
}

async function upload(page: Page, rows: string[][]): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a CSV' });
  const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(rows)) };
  await dialog.getByLabel('CSV file').setInputFiles(file);
  return dialog;
}

async function openErrors(page: Page, product: Product): Promise<void> {
  const rows = await editedRows(page, product);
  const wrong = [
    ['nobody', '100', '', ''],
    [rows[1]?.[0] ?? '', '17', '', ''],
  ];
  const dialog = await upload(page, [...rows, ...wrong]);
  await dialog.getByRole('region', { name: 'Errors' }).waitFor();
}

async function openFileChanges(page: Page, product: Product): Promise<void> {
  const dialog = await upload(page, await editedRows(page, product));
  await dialog.getByRole('button', { name: /^Check / }).click();
  await changing(page).getByRole('region', { name: 'What changes' }).waitFor();
}

/** Changes of many accounts, from the table or from a file. */
export const BULK_SCREENS: Screen[] = [
  { name: 'change of many accounts to choose', path: DESK, open: openPause },
  { name: 'plans of accounts with their prices', path: DESK, open: openPrices },
  { name: 'recent changes of many accounts', path: DESK, open: openRecent },
  {
    name: 'changes of many accounts on their way',
    path: DESK,
    open: openOperation('Show', 'The changes will continue.'),
  },
  {
    name: 'changes of many accounts, not all made',
    path: DESK,
    open: openOperation('Show or undo', 'Your card was declined.'),
  },
  { name: 'changes of many accounts, stopped', path: DESK, open: openStopped },
  {
    name: 'upload of a file of accounts',
    path: DESK,
    open: async (page) => {
      await page.getByRole('button', { name: 'Upload CSV' }).click();
      await page.getByRole('dialog', { name: 'Upload a CSV' }).getByLabel('CSV file').waitFor();
    },
  },
  { name: 'a file of accounts with errors', path: DESK, open: openErrors },
  { name: 'what a file of accounts changes', path: DESK, open: openFileChanges },
];
