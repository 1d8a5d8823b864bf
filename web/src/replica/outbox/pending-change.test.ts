import { expect, test } from 'vitest';
import { applyRows } from '../store/apply-rows.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { putScope } from '../store/scope-state.ts';
import { findAccountId } from './pending-change.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const ACCOUNTS = 1000;

test('an account is found by its network’s id without all the others being read', async () => {
  const store = createMemoryStore();
  const rows = Array.from({ length: ACCOUNTS }, (_, nth) => {
    const id = `acc${String(nth).padStart(4, '0')}`;
    return { id, v: 1, row: { accountId: id, igId: String(nth) } };
  });
  await store.write(async (tx) => {
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['account'], loading: null });
    await applyRows(tx, { scope: SCOPE, entity: 'account', generation: 1 }, rows);
  });
  const read: string[] = [];
  const find = (igId: string) =>
    store.read((tx) => {
      const getChunks: typeof tx.getChunks = (keys) => {
        read.push(...keys);
        return tx.getChunks(keys);
      };
      return findAccountId({ ...tx, getChunks }, igId);
    });
  expect(await find('700')).toBe('acc0700');
  expect(read).toHaveLength(1);
  expect(await find('5000')).toBeUndefined();
  expect(read).toHaveLength(1);
});
