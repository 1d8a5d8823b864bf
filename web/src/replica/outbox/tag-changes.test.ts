import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { applyRows } from '../store/apply-rows.ts';
import { putScope } from '../store/scope-state.ts';
import { NOW, openChanges, refuse } from '#web/testing/open-changes.ts';
import { tagChanges, tagsTitle } from './tag-changes.ts';

const OFFLINE = { kind: 'offline', asOf: NOW } as const;

test('tags are shown at once without network, several changes one after the other, and wait', async () => {
  const { changes, shown, outbox } = await openChanges(refuse, OFFLINE);
  expect(await changes.tagAccounts(['ada'], { add: ['VIP'], remove: [] })).toEqual({
    kind: 'queued',
  });
  await changes.tagAccounts(['ada'], { add: ['new'], remove: ['OLD'] });
  expect((await shown('account'))?.['tags']).toEqual(['new', 'VIP']);
  expect((await outbox()).map(({ title }) => title)).toEqual([
    'Tags of @ada: Add “VIP”',
    'Tags of @ada: Add “new”, take off “OLD”',
  ]);
  const [first] = await outbox();
  await changes.discard(first?.id ?? '');
  expect((await shown('account'))?.['tags']).toEqual(['new']);
});

test('refused tags go, and the list says why', async () => {
  const { changes, shown, outbox } = await openChanges(refuse);
  const outcome = await changes.tagAccounts(['ada'], { add: ['VIP'], remove: [] });
  expect(outcome.kind).toBe('refused');
  expect((await shown('account'))?.['tags']).toEqual(['old']);
  expect((await outbox()).map(({ state }) => state.kind)).toEqual(['failed']);
});

test('thousands of accounts are tagged in parts, accounts that aren’t here left out', async () => {
  const store = createMemoryStore();
  const names = Array.from({ length: 1200 }, (_, nth) => `account.${nth}`);
  await store.write(async (tx) => {
    await putScope(tx, { scope: 'w:1', generation: 1, complete: [], loading: null });
    const rows = names.map((igUsername) => ({
      id: igUsername,
      v: 1,
      row: { accountId: igUsername, igUsername },
    }));
    await applyRows(tx, { scope: 'w:1', entity: 'account', generation: 1 }, rows);
  });
  const change = { add: ['VIP'], remove: [] };
  const made = await store.read((tx) => tagChanges(tx, [...names, 'gone'], change));
  const sizes = made.map(({ args }) => ('accountIds' in args ? args.accountIds.length : 0));
  expect(sizes).toEqual([500, 500, 200]);
  expect(tagsTitle(names, change)).toBe('Tags of 1,200 accounts: Add “VIP”');
});
