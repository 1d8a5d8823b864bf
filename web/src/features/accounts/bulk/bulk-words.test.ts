import { expect, test } from 'vitest';
import { accountExample, operationExample } from '#web/testing/examples.ts';
import type { BulkItem, BulkOperation } from '#shared/contract/accounts/bulk.ts';
import {
  beginWords,
  buttonWords,
  operationWords,
  priceWords,
  progressWords,
  reasonsOf,
} from './bulk-words.ts';
import { cellOf } from './changed-cell.ts';

test.each([
  ['Active', 'Stops on Dec 22, 2026'],
  ['Past due', 'Stops at once'],
] as const)('a plan that is %s is shown as it would be stopped: %s', (subscriptionState, after) => {
  const nextBillingDate = '2026-12-22T00:00:00.000Z';
  const account = accountExample({ subscriptionState, nextBillingDate, timeZone: 'UTC' });
  expect(cellOf({ kind: 'cancel' }, account, 'UTC').after).toBe(after);
});

test.each([
  [62, '$62.00 more a month'],
  [-20.5, '$20.50 less a month'],
])('a difference of %d dollars is %s', (month, words) => {
  expect(priceWords({ items: [], planned: 1, today: 0, month }, null)).toBe(
    `Nothing is charged today. All these plans together then cost ${words}.`,
  );
});

test.each([
  [30.11, 'Nothing is charged now. Approved today, $30.11 is charged to the saved card.'],
  [0, 'Nothing is charged now.'],
])('a proposal of $%d says that it is one: %s', (today, words) => {
  expect(priceWords({ items: [], planned: 1, today, month: 0, needsApproval: true }, null)).toBe(
    words,
  );
});

test('a smaller plan is shown with the day from which it holds, a larger one at once', () => {
  const nextBillingDate = '2026-12-22T00:00:00.000Z';
  const account = accountExample({ accountPackageId: 3, nextBillingDate, timeZone: 'UTC' });
  const after = (packageIndex: number): string =>
    cellOf({ kind: 'plan', packageIndex }, account, 'UTC').after;
  expect(after(2)).toBe('100 likes from Dec 22, 2026');
  expect(after(4)).toBe('500 likes');
});

test.each([
  [['begin'], 'Start 1 plan, $5.00 today, +$5.00 a month'],
  [['begin', 'begin'], 'Start 2 plans, $5.00 today, +$5.00 a month'],
  [['plan', 'begin', 'plan'], 'Start 1 plan and change 2, $5.00 today, +$5.00 a month'],
  [['keepPlan', 'begin', 'plan'], 'Make 3 changes, $5.00 today, +$5.00 a month'],
  [['plan', 'keepPlan'], 'Make 2 changes, +$5.00 a month'],
] as const)('the button says of %j: %s', (kinds, words) => {
  const items = kinds.map((kind, position): BulkItem => {
    const plan = { packageIndex: 1, timeZone: 'UTC' };
    const change = kind === 'keepPlan' ? { kind } : { kind, ...plan };
    const money = { today: 1, month: 1, reason: null };
    return { position, igUsername: 'ada', outcome: 'planned', change, ...money };
  });
  const plan = { items, planned: items.length, today: 5, month: 5, needsApproval: false };
  expect(buttonWords(plan, { kind: 'changes' })).toBe(words);
});

test('one new plan begins, with its day in the zone it has', () => {
  const change = { kind: 'begin', packageIndex: 1, timeZone: 'Pacific/Auckland' } as const;
  const money = { today: 1, month: 1, reason: null };
  const item = { position: 0, igUsername: 'ada', outcome: 'planned', change, ...money } as const;
  expect(beginWords({ items: [item] }, Date.parse('2026-11-28T12:00:00Z'))).toBe(
    '1 new plan begins today and renews on Dec 29, 2026, in Auckland time.',
  );
  expect(beginWords({ items: [{ ...item, outcome: 'refused' }] }, 0)).toBeUndefined();
  expect(beginWords({ items: [item], needsApproval: true }, 0)).toBe(
    '1 new plan begins on the day of the approval and renews a month later, in Auckland time.',
  );
});

const OPERATION = operationExample({ today: 12, month: 30 });

test('a change of many accounts says what it was, who made it and when', () => {
  expect(operationWords(OPERATION, 'UTC')).toBe(
    'November 28, 2026 at 12:50 AM, Ada Lovelace: Change 3 plans. Done. 2 changes made, 1 failed. $12.00 was charged.',
  );
  const mixed: BulkOperation = { ...OPERATION, by: null, kinds: ['plan', 'tags'], today: 0 };
  expect(operationWords(mixed, 'UTC')).toBe(
    'November 28, 2026 at 12:50 AM, someone who has left: Make 3 changes. Done. 2 changes made, 1 failed.',
  );
});

test.each([
  [{}, 'Stopped. 66 changes made, 12 left as they were. $12.00 was charged.'],
  [{ failed: 14 }, 'Stopped. 66 changes made, 12 left as they were, 2 failed. $12.00 was charged.'],
  [{ kinds: ['add'], today: 0 }, 'Stopped. 66 accounts added, 12 not added.'],
  [{ isUndo: true, today: 0 }, 'Stopped. 66 changes undone, 12 left as they were.'],
  [
    { state: 'running', waiting: 3 },
    'Stopping. 66 changes made, 3 being finished, 12 left as they were.',
  ],
] satisfies Array<[Partial<BulkOperation>, string]>)(
  'what somebody stopped is not said to have failed: %j',
  (changes, words) => {
    const stopped = { ...OPERATION, done: 66, failed: 12, stopped: 12, ...changes };
    expect(progressWords(stopped)).toBe(words);
  },
);

test('the saved card that is charged is named', () => {
  const card = { ccNum: '************242', ccName: '', ccMonth: '12', ccYear: '2030' };
  expect(priceWords({ items: [], planned: 1, today: 5, month: 0 }, card)).toBe(
    '$5.00 is charged to the card ending in 242 today.',
  );
});

test('changes that are being undone are not said to be made', () => {
  const undoing: BulkOperation = { ...OPERATION, state: 'running', isUndo: true, waiting: 2 };
  expect(progressWords(undoing)).toBe('2 of 5 changes undone, 1 failed.');
});

test('what is true of many accounts is said once', () => {
  const refused = (igUsername: string, reason: string): BulkItem => ({
    position: 0,
    igUsername,
    change: { kind: 'add' },
    outcome: 'refused',
    reason,
    today: 0,
    month: 0,
  });
  const items = [
    refused('ada', 'No room.'),
    refused('bea', '@bea has no plan.'),
    ...Array.from({ length: 11 }, (_, nr) => refused(`cy${nr}`, 'No room.')),
  ];
  const [many, one, ...more] = reasonsOf(items, false);
  expect(many).toMatch(/^@ada, @cy0, .*, @cy8 and 2 more: No room\.$/);
  expect([one, more]).toEqual(['@bea has no plan.', []]);
  expect(reasonsOf(items, true)[0]).toContain('@cy10: No room.');
  const unread = ['dan', 'eve'].map((name) => refused(name, `We can’t read @${name} today.`));
  expect(reasonsOf(unread, false)).toEqual(['@dan, @eve: We can’t read this account today.']);
});
