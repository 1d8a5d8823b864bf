import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  type AskedChange,
  type BulkItem,
  type BulkOperation,
  findBulk,
  findBulkItems,
  planBulk,
  startBulk,
  stopBulk,
  undoBulk,
} from '#shared/contract/accounts/bulk.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, operationExample, userExample } from '#web/testing/examples.ts';

const accounts = ['ada', 'bob', 'cy'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: `1784140000000000${nth}`, accountPackageId: 2 }),
);
const user = userExample({ connectedAccounts: accounts });
const STOPPED = 'Ada Lovelace stopped this before anything was changed.';
const REASON = 'This plan is paused. Resume it before you change it.';

const item = (position: number, changes: Partial<BulkItem> = {}): BulkItem => ({
  position,
  igUsername: accounts[position]?.igUsername ?? '',
  change: { kind: 'plan', packageIndex: 4 },
  outcome: 'planned',
  reason: null,
  today: 31.57,
  month: 31,
  ...changes,
});
const operation = (changes: Partial<BulkOperation> = {}): BulkOperation =>
  operationExample({ state: 'running', waiting: 2, done: 0, ...changes });

let page: Page;
beforeEach(async () => {
  page = await openPage('/my-subscriptions?q=', { user, replica: {} });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
});

const dialog = () =>
  page.getByRole('dialog', {
    name: /^(?:Change plans|Delivery settings|(?:Check|Proposed|Recent) changes)$/,
  });

function selectAll(): void {
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true }),
  );
}

async function choose(): Promise<void> {
  page.server.gives(findBulk, []);
  selectAll();
  await page.button('Change plans').click();
  await dialog().getByLabel('New plan', { exact: true }).selectOption('4');
  await dialog().getByRole('button', { name: 'Check the changes' }).click();
}

test('what changes is shown with errors on top and the price, and the button says it all', async () => {
  const items = [item(0), item(1), item(2, { outcome: 'refused', reason: REASON })];
  page.server.gives(planBulk, { items, planned: 2, today: 63.14, month: 62 });
  await choose();
  await dialog().getByText(`@cy: ${REASON}`).waitFor();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const wanted: AskedChange = { kind: 'plan', packageIndex: 4, timeZone };
  expect(page.server.asked(planBulk)[0]?.input).toMatchObject({
    from: 0,
    changes: ['ada', 'bob', 'cy'].map((igUsername) => ({ igUsername, change: wanted })),
  });
  const table = document.querySelector('[aria-label="What changes"]');
  expect([...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => row.textContent)).toEqual([
    '@ada100 likes500 likes$31.57+$31.00',
    '@bob100 likes500 likes$31.57+$31.00',
  ]);
  await dialog()
    .getByText(
      '$63.14 is charged to the saved card today. All these plans together then cost $62.00 more a month.',
    )
    .waitFor();
  page.server.next(startBulk, refuse('price_changed', 'Please check them again.'));
  const button = dialog().getByRole('button', { name: 'Change 2 plans, +$62.00 a month' });
  await button.click();
  await dialog().getByText('Please check them again.').waitFor();
  page.server.next(startBulk, lose);
  await button.click();
  await dialog().getByText('we don’t know if these changes have begun').waitFor();
  page.server.gives(startBulk, operation());
  await button.click();
  await dialog().getByText('0 of 3 changes made, 1 failed.').waitFor();
  expect(page.server.asked(startBulk)[2]?.input).toMatchObject({ planned: 2, today: 63.14 });
});

test('changes are priced on plain http, where the browser makes no ids', async () => {
  onTestFinished(() => void Reflect.deleteProperty(crypto, 'randomUUID'));
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  page.server.gives(planBulk, { items: [item(0)], planned: 1, today: 31.57, month: 31 });
  await choose();
  await dialog()
    .getByRole('button', { name: /^Change 1 plan/ })
    .waitFor();
  expect(page.server.asked(planBulk)[0]?.input.operationId).toMatch(/^[\da-f-]{36}$/);
});

test('plans that begin are told apart, with their next date, their zone and what is against the rules', async () => {
  const begin = { kind: 'begin', packageIndex: 4, timeZone: 'America/New_York' } as const;
  const first = { change: begin, today: 48, month: 48 };
  const items = [item(0), item(1, first), item(2, first)];
  page.server.gives(planBulk, { items, planned: 3, today: 127.57, month: 127 });
  page.server.gives(startBulk, operation());
  await choose();
  await dialog().getByText('2 new plans begin today and renew on').waitFor();
  const rows = document.querySelectorAll('[aria-label="What changes"] tbody tr');
  expect([...rows].map((row) => row.textContent)).toEqual([
    '@ada100 likes500 likes$31.57+$31.00',
    '@bobNo plan500 likes (new plan)$48.00+$48.00',
    '@cyNo plan500 likes (new plan)$48.00+$48.00',
  ]);
  await dialog().getByText('in New York time.').waitFor();
  await dialog().getByText('against most networks’ rules').waitFor();
  await dialog()
    .getByRole('button', {
      name: 'Start 2 plans and change 1, $127.57 today, +$127.00 a month',
    })
    .click();
  page.server.gives(findBulk, [operation({ state: 'done', waiting: 0, done: 2, failed: 1 })]);
  page.server.gives(findBulkItems, [item(2, { ...first, outcome: 'failed', reason: REASON })]);
  await dialog().getByRole('button', { name: 'Try these again' }).click();
  await dialog().getByText('new plans begin today').waitFor();
  expect(page.server.asked(planBulk).at(-1)?.input.changes).toEqual([
    { igUsername: 'cy', change: { ...begin, kind: 'plan' } },
  ]);
});

test('what still waits is stopped by who may, and said where no answer came', async () => {
  page.server.gives(planBulk, { items: [item(0)], planned: 1, today: 0, month: 0 });
  page.server.gives(startBulk, operation({ canStop: true }));
  page.server.gives(findBulk, [operation({ canStop: true })]);
  await choose();
  await dialog().getByRole('button', { name: 'Change 1 plan' }).click();
  const stop = dialog().getByRole('button', { name: 'Stop the rest' });
  page.server.next(stopBulk, lose);
  await stop.click();
  await dialog().getByText('we don’t know if the rest is stopped').waitFor();
  const stopping = operation({ canStop: true, waiting: 1, done: 0, failed: 2, stopped: 2 });
  page.server.gives(stopBulk, stopping);
  page.server.gives(findBulk, [stopping]);
  await stop.click();
  await dialog().getByText('Stopping. 0 changes made, 1 being finished, 2 left as').waitFor();
  expect(stop.count()).toBe(0);
  const left = [1, 2].map((nth) =>
    item(nth, { outcome: 'failed', isStopped: true, reason: STOPPED }),
  );
  page.server.gives(findBulkItems, left);
  page.server.gives(findBulk, [{ ...stopping, state: 'done', waiting: 0, done: 1 }]);
  await dialog().getByText('Stopped. 1 change made, 2 left as they were.').waitFor();
  await dialog().getByText(`@bob, @cy: ${STOPPED}`).waitFor();
  const bar = document.querySelector('progress');
  expect([bar?.value, bar?.max]).toEqual([1, 3]);
  expect(dialog().getByText('couldn’t be changed').count()).toBe(0);
  await dialog().getByRole('button', { name: 'Continue with these' }).waitFor();
});

test('what wasn’t made is listed and can be tried again, and what cost nothing is undone', async () => {
  page.server.gives(planBulk, { items: [item(0)], planned: 1, today: 0, month: 0 });
  page.server.gives(startBulk, operation());
  await choose();
  await dialog().getByRole('button', { name: 'Change 1 plan' }).click();
  const done = operation({
    state: 'done',
    waiting: 0,
    done: 2,
    undoable: 2,
    undoUntil: new Date(NOW + 600_000).toISOString(),
  });
  page.server.gives(findBulkItems, [item(2, { outcome: 'failed', reason: REASON })]);
  page.server.gives(findBulk, [done]);
  await dialog().getByText('Done. 2 changes made, 1 failed.').waitFor();
  await dialog().getByText(`@cy: ${REASON}`).waitFor();
  page.server.next(undoBulk, lose, refuse('bulk_running', 'Please wait.'));
  const undo = dialog().getByRole('button', { name: 'Undo 2 changes' });
  await undo.click();
  await dialog().getByText('we don’t know if these changes are being undone').waitFor();
  await undo.click();
  await dialog().getByText('Please wait.').waitFor();
  await dialog().getByRole('button', { name: 'Try these again' }).click();
  await dialog().getByRole('button', { name: 'Change 1 plan' }).waitFor();
  expect(page.server.asked(planBulk).at(-1)?.input.changes).toEqual([
    { igUsername: 'cy', change: { kind: 'plan', packageIndex: 4 } },
  ]);
});

test('operations of before can be looked at and undone without choosing accounts', async () => {
  const undoUntil = new Date(NOW + 600_000).toISOString();
  const done = operation({ state: 'done', waiting: 0, failed: 0, done: 3, undoable: 3, undoUntil });
  page.server.gives(findBulk, [done]);
  await page.button('Recent changes').click();
  await dialog().getByRole('button', { name: 'Show or undo' }).click();
  const undone = operation({ state: 'done', isUndo: true, waiting: 0, failed: 0, done: 3 });
  page.server.next(
    undoBulk,
    succeed(undoBulk, { ...undone, operationId: '0192d3c0-0000-7000-8000-0000000000b2' }),
  );
  await dialog().getByRole('button', { name: 'Undo 3 changes' }).click();
  await dialog().getByText('Done. 3 changes undone.').waitFor();
  expect(page.server.asked(undoBulk)[0]?.input.operationId).toBe(done.operationId);
});

test('changes that weren’t made and can’t be loaded are said to be so', async () => {
  page.server.gives(findBulk, [operation({ state: 'done', waiting: 0, done: 2 })]);
  page.server.next(findBulkItems, lose);
  await page.button('Recent changes').click();
  await dialog().getByRole('button', { name: /^Show/ }).click();
  await dialog().getByText('We couldn’t load the changes that weren’t made.').waitFor();
  expect(dialog().getByRole('button', { name: 'Try these again' }).count()).toBe(0);
});

test('delivery settings are changed where they are named, and the others stay as they are', async () => {
  const settings = { speed: '2 Hours', range: { min: 60, max: 90 } } as const;
  const changed = accounts.map((_, nth) =>
    item(nth, { change: { kind: 'delivery', settings }, today: 0, month: 0 }),
  );
  page.server.gives(planBulk, { items: changed, planned: 3, today: 0, month: 0 });
  page.server.gives(findBulk, []);
  selectAll();
  await page.button('Delivery settings').click();
  await dialog().getByLabel('Delivery speed', { exact: true }).selectOption('2 Hours');
  await dialog()
    .getByLabel('Irregular likes', { exact: true })
    .selectOption('On, within this range');
  await dialog().getByLabel('Minimum likes', { exact: true }).fill('100');
  await dialog().getByLabel('Maximum likes', { exact: true }).fill('90');
  await dialog().getByRole('button', { name: 'Check the changes' }).click();
  await dialog().getByText('The minimum can’t be higher than the maximum').waitFor();
  await dialog().getByLabel('Minimum likes', { exact: true }).fill('60');
  await dialog().getByRole('button', { name: 'Check the changes' }).click();
  await dialog()
    .getByRole('button', { name: 'Change the delivery settings of 3 accounts' })
    .waitFor();
  expect(page.server.asked(planBulk)[0]?.input.changes[0]).toEqual({
    igUsername: 'ada',
    change: { kind: 'delivery', settings },
  });
  const row = document.querySelector('[aria-label="What changes"] tbody tr');
  expect(row?.textContent).toBe(
    '@adaSpeed: Instant, Same likes for each postSpeed: 2 Hours, 60 to 90 likes',
  );
});

test('a pause until a day that isn’t allowed is refused at its field, and nothing is asked', async () => {
  page.server.gives(findBulk, []);
  selectAll();
  await page.button('Change plans').click();
  await dialog().getByLabel('For 3 accounts').selectOption('pause');
  const day = dialog().getByLabel('Pause until');
  await day.fill('2020-01-01');
  await dialog().getByRole('button', { name: 'Check the changes' }).click();
  await dialog().getByText('Please choose a day 2 to 181 days from today').waitFor();
  await day.fill('');
  await dialog().getByRole('button', { name: 'Check the changes' }).click();
  await dialog().getByText('Please choose a day 2 to 181 days from today').waitFor();
  expect(page.server.asked(planBulk)).toEqual([]);
});
