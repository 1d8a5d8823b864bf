import { expect, test } from 'vitest';
import type { SessionMarkers } from '#web/platform/session-markers.ts';
import { guardWith } from './guard-route.ts';
import { signedIn } from './guards.ts';

/** Markers that come back when they are restored, as after a crash. */
function lostMarkers(restored: string | undefined) {
  const state = { userId: undefined as string | undefined, asked: 0 };
  const markers: SessionMarkers = {
    userId: () => state.userId,
    inSubscription: () => true,
    begin: () => undefined,
    remember: () => undefined,
    clear: () => undefined,
    end: () => undefined,
    ended: () => undefined,
    keepsNothing: () => false,
    sayEnded: () => undefined,
    onChange: () => () => undefined,
  };
  const asked = { request: new Request('https://ovation.example/my-billing?page=2') };
  const guarded = guardWith(markers, async () => {
    state.asked += 1;
    state.userId = restored;
  })(signedIn);
  const load = () => guarded(asked);
  return { load, state };
}

test('who was signed in when the browser crashed stays so, and everybody else logs in', async () => {
  expect(await lostMarkers('a user').load()).toBeNull();
  const answer = await lostMarkers(undefined).load();
  expect(answer?.headers.get('location')).toBe('/login?next=%2Fmy-billing%3Fpage%3D2');
});

test('nothing is restored while the browser knows who is signed in', async () => {
  const { load, state } = lostMarkers('a user');
  await load();
  await load();
  expect(state.asked).toBe(1);
});
