import { expect, test } from 'vitest';
import { findConnectedAccounts } from '#shared/contract/accounts/connected-account.ts';
import { memoryStorage } from '#web/platform/platform-storage.fake.ts';
import { createSessionMarkers } from '#web/platform/session-markers.ts';
import { createSessionApi } from './session-api.ts';

const ADA = { id: '0192d3c0-0000-7000-8000-00000000ada1', inSubscription: true };
const EVE = { id: '0192d3c0-0000-7000-8000-00000000e4e1', inSubscription: false };
const ENDED = { status: 'error', code: 'no_session', message: 'Please log in' };

/** A page whose one call is answered with 401 when the test says so. */
function pageThatAsks(answered: object = ENDED) {
  const storage = memoryStorage();
  const markers = createSessionMarkers({ storage, onStorageChange: () => () => undefined });
  const { promise, resolve } = Promise.withResolvers<Response>();
  const api = createSessionApi({ apiOrigin: '' }, markers, () => promise);
  const ask = () => api.call(findConnectedAccounts, { userId: ADA.id });
  return { markers, ask, answer: () => resolve(Response.json(answered, { status: 401 })) };
}

test('an answer that the session has ended takes the markers of whoever had it', async () => {
  const { markers, ask, answer } = pageThatAsks();
  markers.begin(ADA);
  const asked = ask();
  answer();
  await asked;
  expect(markers.userId()).toBeUndefined();
});

test('an answer that the session has ended leaves the markers of whoever has logged in meanwhile', async () => {
  for (const before of [ADA, undefined]) {
    const { markers, ask, answer } = pageThatAsks();
    if (before) markers.begin(before);
    const asked = ask();
    markers.begin(EVE);
    answer();
    expect(await asked).toMatchObject({ code: 'no_session' });
    expect(markers.userId()).toBe(EVE.id);
  }
});

test('an answer that the session was ended from elsewhere is kept for the log-in page, until somebody logs in', async () => {
  const message = 'This device was logged out from another one.';
  const { markers, ask, answer } = pageThatAsks({
    status: 'error',
    code: 'session_ended',
    message,
  });
  markers.begin(ADA);
  const asked = ask();
  answer();
  await asked;
  expect([markers.userId(), markers.ended()]).toEqual([undefined, message]);
  markers.begin(EVE);
  expect(markers.ended()).toBeUndefined();
});
