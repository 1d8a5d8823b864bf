import { expect, test } from 'vitest';
import {
  type BulkItem,
  closeProposal,
  findBulk,
  findProposals,
  planBulk,
  type Proposal,
  proposeBulk,
  reviewBulk,
  startBulk,
} from '#shared/contract/accounts/bulk.ts';
import { findTeam, saveApproval, type Team } from '#shared/contract/people/team.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { PROPOSALS_KEY } from '#web/customer/proposals/use-proposals.ts';
import { LocalDatabase } from '#web/replica/store/local-database.ts';
import { refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, operationExample, userExample } from '#web/testing/examples.ts';

const HERE = '0192d3c0-0000-7000-8000-00000000e001';
const PROPOSAL: Proposal = {
  operationId: '0192d3c0-0000-7000-8000-0000000000b1',
  state: 'proposed',
  kinds: ['plan'],
  planned: 1,
  today: 31.57,
  month: 31,
  by: 'Bob Boole',
  isOwn: false,
  decidedBy: null,
  at: new Date(NOW - 60_000).toISOString(),
  until: new Date(NOW + 3_600_000).toISOString(),
};
const ITEM: BulkItem = {
  position: 0,
  igUsername: 'ada',
  change: { kind: 'plan', packageIndex: 4 },
  outcome: 'planned',
  reason: null,
  today: 30.11,
  month: 31,
};

async function openAs(role: Role, proposals: Proposal[]): Promise<Page> {
  const page = await openAt('/my-subscriptions?q=', role, proposals);
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  return page;
}

function userIn(role: Role): User {
  const account = accountExample({ igUsername: 'ada', accountPackageId: 2 });
  const workspaces = [{ id: HERE, name: 'Ada Lovelace', role }];
  const membership = { workspaceId: HERE, role, people: 2, workspaces };
  return { ...userExample({ connectedAccounts: [account] }), membership };
}

function openAt(path: string, role: Role, proposals: Proposal[]): Promise<Page> {
  return openPage(path, {
    user: userIn(role),
    replica: {},
    server: (server) => {
      server.gives(findProposals, proposals);
      server.gives(findBulk, []);
    },
  });
}

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true });
const dialogOf = (page: Page) =>
  page.getByRole('dialog', {
    name: /^(?:Change plans|Delivery settings|(?:Check|Proposed|Recent) changes)$/,
  });

test('what somebody has proposed stands on top, is shown at today’s prices, and is approved or refused', async () => {
  const page = await openAs('Owner', [PROPOSAL]);
  const review = page.button('Review the changes of Bob Boole');
  await review.waitFor();
  page.server.gives(reviewBulk, { items: [ITEM], planned: 1, today: 30.11, month: 31 });
  await review.click();
  const dialog = dialogOf(page);
  await dialog.getByText('$30.11 is charged to the saved card today.').waitFor();
  await dialog.getByText(/^Proposed by Bob Boole on \w+ \d+, 2026 at .*M\.$/).waitFor();
  expect(page.server.asked(reviewBulk)[0]?.input).toMatchObject({
    proposalId: PROPOSAL.operationId,
    from: 0,
  });
  page.server.next(closeProposal, refuse('not_found', 'They no longer wait.'));
  await button(dialog, 'Refuse').click();
  await button(dialog, 'Refuse these changes').click();
  await dialog.getByText('They no longer wait.').waitFor();
  await button(dialog, 'Don’t refuse').click();
  const operation = operationExample({ done: 1, failed: 0, today: 30.11, month: 31 });
  page.server.gives(findProposals, [{ ...PROPOSAL, state: 'approved', decidedBy: 'Ada Lovelace' }]);
  page.server.next(startBulk, succeed(startBulk, operation));
  await button(dialog, 'Approve, and change 1 plan, +$31.00 a month').click();
  await dialog.getByText('Done. 1 change made. $30.11 was charged.').waitFor();
  expect(page.server.asked(startBulk)[0]?.input).toMatchObject({ planned: 1, today: 30.11 });
  await review.waitFor({ state: 'gone' });
});

test('what was approved is shown on a device whose disk is full', async () => {
  const page = await openAs('Owner', [PROPOSAL]);
  page.server.gives(reviewBulk, { items: [ITEM], planned: 1, today: 30.11, month: 31 });
  await page.button('Review the changes of Bob Boole').click();
  const approve = button(dialogOf(page), 'Approve, and change 1 plan, +$31.00 a month');
  await approve.waitFor();
  fillDisk();
  const operation = operationExample({ done: 1, failed: 0, today: 30.11, month: 31 });
  page.server.next(startBulk, succeed(startBulk, operation));
  await approve.click();
  await dialogOf(page).getByText('Done. 1 change made. $30.11 was charged.').waitFor();
  expect(page.reports).toContain('Proposals could not be kept');
});

test('whoever refuses says why, in one line that whoever proposed it reads', async () => {
  const page = await openAs('Owner', [PROPOSAL]);
  page.server.gives(reviewBulk, { items: [ITEM], planned: 1, today: 30.11, month: 31 });
  await page.button('Review the changes of Bob Boole').click();
  const dialog = dialogOf(page);
  await button(dialog, 'Refuse').click();
  await dialog.getByLabel('Reason (optional)').fill('Too dear this month.');
  const refused = { ...PROPOSAL, state: 'refused', decidedBy: 'Ada Lovelace' } as const;
  const answered = { ...refused, reason: 'Too dear this month.' };
  page.server.next(closeProposal, succeed(closeProposal, answered));
  await button(dialog, 'Refuse these changes').click();
  await dialog.getByText('Refused by Ada Lovelace: “Too dear this month”.').waitFor();
  expect(page.server.asked(closeProposal)[0]?.input).toMatchObject({
    reason: 'Too dear this month.',
  });
});

test('proposals that were asked for first and answered last don’t come back', async () => {
  let release = (): void => undefined;
  const page = await openPage('/my-subscriptions?q=', {
    user: userIn('Manager'),
    replica: {},
    server: (server) => {
      server.gives(findBulk, []);
      server.gives(findProposals, []);
      release = server.holdNext(findProposals, succeed(findProposals, []));
    },
  });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  await expect.poll(() => page.server.asked(findProposals).length).toBe(1);
  const dialog = await proposeAs(page, [PROPOSAL]);
  await page.button('Review the changes of Bob Boole').waitFor();
  release();
  // Whatever came late is there by the time of this.
  page.server.next(closeProposal, refuse('not_found', 'They no longer wait.'));
  await button(dialog, 'Withdraw').click();
  await dialog.getByText('They no longer wait.').waitFor();
  const db = new LocalDatabase(userIn('Manager').id);
  const kept = (await db.meta.get(PROPOSALS_KEY))?.value;
  db.close();
  expect(kept).toHaveLength(2);
});

test('the bell of any page counts what waits for approval, and leads to it', async () => {
  const own = { ...PROPOSAL, operationId: '0192d3c0-0000-7000-8000-0000000000b3', isOwn: true };
  const page = await openAt('/my-settings', 'Owner', [PROPOSAL, own]);
  await page.getByRole('link', { name: 'Alerts, 1 to approve', exact: true }).click();
  await page.waitForPath('/my-alerts');
  await page.getByText('A bulk change is waiting for your approval.').waitFor();
  expect(page.getByText('Nothing needs your attention').count()).toBe(0);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.button('Review the changes of Bob Boole').waitFor();
});

test('what costs more than somebody may decide alone is proposed, and withdrawn', async () => {
  const page = await openAs('Manager', []);
  const dialog = await proposeAs(page);
  expect(page.server.asked(startBulk)).toEqual([]);
  const own = { ...PROPOSAL, isOwn: true };
  page.server.next(closeProposal, succeed(closeProposal, { ...own, state: 'withdrawn' }));
  await button(dialog, 'Withdraw').click();
  await dialog.getByText('Withdrawn.').waitFor();
});

test('an open proposal says what became of it, also to who comes too late to withdraw it', async () => {
  const page = await openAs('Manager', []);
  const dialog = await proposeAs(page);
  const approved = { ...PROPOSAL, isOwn: true, state: 'approved', decidedBy: 'Eve Euler' } as const;
  page.server.gives(findProposals, [approved]);
  await dialog.getByText('Approved by Eve Euler').waitFor();
  expect(await dialog.text()).not.toContain('Nothing is changed or charged until');
  expect(button(dialog, 'Withdraw').count()).toBe(0);
  page.server.gives(findBulk, [operationExample({ done: 1, failed: 0, today: 30.11 })]);
  await button(dialog, 'See recent changes').click();
  await dialogOf(page).getByText('Done. 1 change made. $30.11 was charged.').waitFor();
});

test('who withdraws a proposal that was decided meanwhile is told what was decided', async () => {
  const page = await openAs('Manager', []);
  const dialog = await proposeAs(page);
  page.server.next(closeProposal, refuse('not_found', 'They no longer wait.'));
  const refused = { ...PROPOSAL, isOwn: true, state: 'refused', decidedBy: 'Eve Euler' } as const;
  page.server.gives(findProposals, [refused]);
  await button(dialog, 'Withdraw').click();
  await dialog.getByText('Refused by Eve Euler.').waitFor();
  expect(button(dialog, 'Withdraw').count()).toBe(0);
});

/** Asks for somebody’s approval; the dialog that says so. */
async function proposeAs(page: Page, others: Proposal[] = []): Promise<Locator> {
  const sums = { planned: 1, today: 30.11, month: 31, needsApproval: true };
  page.server.gives(planBulk, { items: [ITEM], ...sums });
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true }),
  );
  await page.button('Change plans').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('New plan', { exact: true }).selectOption('4');
  await button(dialog, 'Check the changes').click();
  await dialog.getByText('You can’t decide this alone.').waitFor();
  await dialog.getByText('Nothing is charged now. Approved today, $30.11').waitFor();
  expect(await dialog.text()).not.toContain('is charged to your saved card today');
  const own = { ...PROPOSAL, isOwn: true };
  page.server.next(proposeBulk, succeed(proposeBulk, own));
  page.server.gives(findProposals, [own, ...others]);
  await button(dialog, 'Ask to change 1 plan, +$31.00 a month').click();
  await dialog.getByText('Someone else has to approve it.').waitFor();
  return dialog;
}

test('an owner says above which amount a second person is needed', async () => {
  const people = ['Ada Lovelace', 'Bob Boole'].map((name, nth) => ({
    id: `0192d3c0-0000-7000-8000-00000000e00${nth}`,
    name,
    email: 'someone@example.test',
    role: 'Owner' as const,
    spendLimit: null,
    since: PROPOSAL.at,
    isThis: nth === 0,
  }));
  const team: Team = { members: people, invitations: [], approvalAbove: 500 };
  const page = await openPage('/my-team', {
    user: userExample(),
    replica: {},
    server: (server) => server.gives(findTeam, team),
  });
  const amount = page.getByLabel('Dollars a manager can decide alone', { exact: true });
  await amount.fill('$100');
  await page.button('Save amount').click();
  await page.getByText('Please enter an amount in dollars').waitFor();
  page.server.gives(saveApproval, team);
  await amount.fill('');
  await page.button('Save amount').click();
  expect(page.server.asked(saveApproval)[0]?.input).toMatchObject({ approvalAbove: null });
});
