import { expect, test } from 'vitest';
import type { SessionHints } from '../platform/session-hints.ts';
import { guardWith } from './guard-route.ts';
import { signedIn } from './guards.ts';

/** Hints that come back when they are recalled, as after a crash. */
function lostHints(recalled: string | undefined) {
  const state = { userId: undefined as string | undefined, asked: 0 };
  const hints: SessionHints = {
    userId: () => state.userId,
    inSubscription: () => true,
    begin: () => undefined,
    remember: () => undefined,
    clear: () => undefined,
    end: () => undefined,
    ended: () => undefined,
    sayEnded: () => undefined,
    onChange: () => () => undefined,
  };
  const asked = { request: new Request('https://ovation.example/my-billing?page=2') };
  const guarded = guardWith(hints, async () => {
    state.asked += 1;
    state.userId = recalled;
  })(signedIn);
  const load = () => guarded(asked);
  return { load, state };
}

test('who was signed in when the browser crashed stays so, and everybody else logs in', async () => {
  expect(await lostHints('a user').load()).toBeNull();
  const answer = await lostHints(undefined).load();
  expect(answer?.headers.get('location')).toBe('/login?next=%2Fmy-billing%3Fpage%3D2');
});

test('nothing is recalled while the browser knows who is signed in', async () => {
  const { load, state } = lostHints('a user');
  await load();
  await load();
  expect(state.asked).toBe(1);
});
