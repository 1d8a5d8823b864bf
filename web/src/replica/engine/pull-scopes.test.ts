import { expect, test } from 'vitest';
import type { PullAnswer } from '#shared/sync/pull.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { userExample } from '#web/testing/examples.ts';
import { pushOnly, unreachable } from '#web/testing/open-changes.ts';
import { findAnswered, keepAnswered } from '../store/answered.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { keepEpoch, putCursor, putScope } from '../store/scope-state.ts';
import { pullScopes } from './pull-scopes.ts';
import type { SyncNetwork } from '../network/sync-network.ts';

const OURS = '0192d3c0-0000-7000-8000-0000000000e1';
const RESTORED = '0192d3c0-0000-7000-8000-0000000000e2';
const USER = userExample();
const SCOPE: Scope = `w:${USER.id}`;

/** Whether an answer ahead of the rows is still shown after a pull; `known`: whose rows are held. */
async function keptAfterPull(known: string | undefined, answers: string): Promise<boolean> {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    if (known !== undefined) await keepEpoch(tx, known);
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['account'], loading: null });
    await putCursor(tx, SCOPE, 3);
    await keepAnswered(tx, { ...USER, versions: { [SCOPE]: 5 } });
  });
  const value: PullAnswer = {
    epoch: answers,
    sessionId: answers,
    userId: USER.id,
    at: '2026-11-21T12:00:00.000Z',
    scopes: {},
    drop: [],
    new: known === answers ? [] : [SCOPE],
    resync: [],
    lastMid: 0,
  };
  const network: SyncNetwork = {
    ...pushOnly(unreachable),
    pull: async () => ({ kind: 'ok', value }),
    snapshot: async () => ({ kind: 'unreachable' }),
  };
  const work = { store, network, now: () => 0, newId: () => answers, report: () => undefined };
  await pullScopes(work, new AbortController().signal);
  return (await store.read(findAnswered)) !== undefined;
}

test('a kept answer goes with the database it came from, and not with a pull of the same one', async () => {
  expect(await keptAfterPull(OURS, OURS)).toBe(true);
  expect(await keptAfterPull(OURS, RESTORED)).toBe(false);
});

test('an answer that is kept before the first pull stays: nothing was replaced', async () => {
  expect(await keptAfterPull(undefined, OURS)).toBe(true);
});
