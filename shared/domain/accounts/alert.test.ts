import { expect, test } from 'vitest';
import {
  type AlertMute,
  budgetAlert,
  changeMutes,
  declinedAlert,
  isTold,
  unreadableAlert,
} from './alert.ts';
import type { Person } from '../people/may.ts';

const ADA = { id: 'ada', name: 'Ada’s' };
const of = (client: typeof ADA | null) => ({ igUsername: 'a', client, igId: '1', sinceMs: 1 });
const budget = { id: 'b', limitCents: 1700, reachedMs: 1, month: '2026-12' };
const ALERTS = [
  unreadableAlert(of(ADA)),
  unreadableAlert(of(null)),
  declinedAlert(of(ADA)),
  budgetAlert(of(ADA), budget),
  budgetAlert(undefined, budget),
];
const told = (person: Person, mutes: AlertMute[] = []): number[] =>
  ALERTS.flatMap((alert, nth) => (isTold(person, mutes, alert) ? [nth] : []));

test('each is told of accounts that they see, and of money only who may read it', () => {
  const all = [0, 1, 2, 3, 4];
  expect(told({ role: 'Owner', allClients: true })).toEqual(all);
  expect(told({ role: 'Manager', allClients: true })).toEqual(all);
  expect(told({ role: 'Editor', allClients: true })).toEqual([0, 1]);
  expect(told({ role: 'Viewer', allClients: true })).toEqual([0, 1]);
  expect(told({ role: 'Manager', allClients: false, grants: { ada: 'Manager' } })).toEqual([0]);
  expect(told({ role: 'Manager', allClients: false, grants: { bob: 'Manager' } })).toEqual([]);
});

test('a kind is muted for all or for a client, and heard again', () => {
  const owner = { role: 'Owner', allClients: true } as const;
  const ofAda = { kind: 'account_unreadable', clientId: 'ada' } as const;
  const ofAll = { kind: 'account_unreadable', clientId: null } as const;
  const once = changeMutes(changeMutes([], ofAda, true), ofAda, true);
  expect(once).toEqual([ofAda]);
  expect(told(owner, once)).toEqual([1, 2, 3, 4]);
  const both = changeMutes(once, ofAll, true);
  expect(told(owner, both)).toEqual([2, 3, 4]);
  expect(changeMutes(both, ofAll, false)).toEqual([ofAda]);
});

test('a budget that is spent says until when, over the turn of a year, too', () => {
  expect(ALERTS[4]?.sentence).toBe(
    'The December budget of $17.00 is used up. Nothing more can be bought for this workspace until January. Renewals continue.',
  );
});
