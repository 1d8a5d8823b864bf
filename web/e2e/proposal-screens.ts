import type { Page } from 'playwright-core';
import {
  type BulkItem,
  findBulk,
  findProposals,
  planBulk,
  type Proposal,
  reviewBulk,
} from '#shared/contract/accounts/bulk.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { answer } from './answered-screens.ts';
import { rewriteReplica } from './local-rows.ts';
import type { Screen } from './screens.ts';
import { pressForSelection } from './selection-bar.ts';

const DESK = '/my-subscriptions?sort=-amount';

const TO = getPlan(6);
/** Two of the demo’s accounts, and one that has no plan: what each pays today and more a month. */
const ITEMS: BulkItem[] = (
  [
    ['aurelie.lumen', 62.4, TO.priceVal - getPlan(3).priceVal],
    ['a.name.of.thirty.characters.ok', TO.priceVal, TO.priceVal],
    ['northbound.film', 41.75, TO.priceVal - getPlan(4).priceVal],
  ] as const
).map(([igUsername, today, month], position) => ({
  position,
  igUsername,
  change: {
    packageIndex: TO.number,
    ...(today === TO.priceVal ? { kind: 'begin', timeZone: 'America/New_York' } : { kind: 'plan' }),
  },
  outcome: 'planned',
  reason: null,
  today,
  month,
}));
const SUMS = {
  planned: ITEMS.length,
  today: ITEMS.reduce((sum, { today }) => sum + today, 0),
  month: ITEMS.reduce((sum, { month }) => sum + month, 0),
};
const PLANNED = { items: ITEMS, ...SUMS };

const PROPOSAL: Proposal = {
  operationId: '0192d3c0-0000-7000-8000-0000000000b7',
  state: 'proposed',
  kinds: ['plan'],
  ...SUMS,
  by: 'Charles Babbage-Featherstonehaugh',
  isOwn: false,
  decidedBy: null,
  at: '2026-11-22T15:10:00.000Z',
  until: '2099-11-25T15:10:00.000Z',
};
const DECIDED: Proposal[] = (['refused', 'approved', 'expired'] as const).map((state, nth) => ({
  ...PROPOSAL,
  operationId: `0192d3c0-0000-7000-8000-0000000000c${nth}`,
  state,
  isOwn: nth === 0,
  decidedBy: state === 'expired' ? null : 'Ada Lovelace',
  ...(state === 'refused' && { reason: 'Too dear this month. Please ask again in December.' }),
}));
/** Somebody else has proposed changes. */
async function answerProposals(page: Page): Promise<void> {
  await answer(page, findProposals.path, [PROPOSAL, ...DECIDED]);
  await answer(page, findBulk.path, []);
  await answer(page, reviewBulk.path, PLANNED);
  await answer(page, planBulk.path, { ...PLANNED, needsApproval: true });
}

/** The browser’s replica says that more people work here. */
const haveTeam = (page: Page): Promise<void> =>
  rewriteReplica(page, ['user', { membership: { people: 4 } }]);

async function openWaiting(page: Page): Promise<void> {
  await haveTeam(page);
  await page.getByRole('list', { name: 'Waiting for your approval' }).waitFor();
}

async function openAlert(page: Page): Promise<void> {
  await haveTeam(page);
  await page.getByRole('link', { name: 'Review' }).waitFor();
}

const changing = (page: Page) =>
  page.getByRole('dialog', {
    name: /^(?:Change plans|Delivery settings|(?:Check|Proposed|Recent) changes)$/,
  });

async function openReview(page: Page): Promise<void> {
  await openWaiting(page);
  await page.getByRole('button', { name: /^Review the changes/ }).click();
  await changing(page)
    .getByRole('button', { name: /^Approve/ })
    .waitFor();
}

async function openTooMuch(page: Page): Promise<void> {
  await openWaiting(page);
  await page.getByRole('checkbox', { name: 'Select all that match' }).check();
  await pressForSelection(page, 'Change plans');
  await changing(page).getByRole('button', { name: 'Check the changes' }).click();
  await changing(page)
    .getByRole('button', { name: /^Ask to/ })
    .waitFor();
}

async function openDecided(page: Page): Promise<void> {
  await openWaiting(page);
  await page.getByRole('button', { name: 'Recent changes' }).click();
  await changing(page).getByText('Not approved within 72 hours.').waitFor();
}

async function openRefusal(page: Page): Promise<void> {
  await openReview(page);
  await changing(page).getByRole('button', { name: 'Refuse', exact: true }).click();
  await changing(page).getByLabel('Reason (optional)').fill('Too dear this month.');
}

const openOutcome =
  (state: string) =>
  async (page: Page): Promise<void> => {
    await openDecided(page);
    const line = changing(page).getByRole('listitem').filter({ hasText: state });
    await line.getByRole('button', { name: 'Show', exact: true }).click();
    await changing(page).getByRole('button', { name: 'Done' }).waitFor();
  };

async function openDelivery(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all that match' }).check();
  await pressForSelection(page, 'Delivery settings');
  const irregular = changing(page).getByLabel('Irregular likes', { exact: true });
  await irregular.selectOption('On, within this range');
  await changing(page).getByLabel('Maximum likes', { exact: true }).waitFor();
}

/** Changes of many accounts that a second person decides about; they leave a team in the browser’s replica. */
export const PROPOSAL_SCREENS: Screen[] = [
  { name: 'delivery settings of many accounts', path: DESK, open: openDelivery },
  ...[
    { name: 'changes that wait for approval', path: DESK, open: openWaiting },
    { name: 'an alert of changes that wait for approval', path: '/my-alerts', open: openAlert },
    { name: 'changes to approve', path: DESK, open: openReview },
    { name: 'changes to refuse', path: DESK, open: openRefusal },
    { name: 'changes too dear to decide alone', path: DESK, open: openTooMuch },
    { name: 'changes approved, refused and over', path: DESK, open: openDecided },
    { name: 'one’s own changes, refused', path: DESK, open: openOutcome('Refused by') },
    { name: 'changes that were approved', path: DESK, open: openOutcome('Approved by') },
  ].map((screen) => ({ ...screen, before: answerProposals })),
];
