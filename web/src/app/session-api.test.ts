import { expect, test } from 'vitest';
import { findConnectedAccounts } from '#shared/contract/connected-account.ts';
import { memoryStorage } from '../platform/platform-storage.fake.ts';
import { createSessionHints } from '../platform/session-hints.ts';
import { createSessionApi } from './session-api.ts';

const ADA = { id: '0192d3c0-0000-7000-8000-00000000ada1', inSubscription: true };
const EVE = { id: '0192d3c0-0000-7000-8000-00000000e4e1', inSubscription: false };
const ENDED = { status: 'error', code: 'no_session', message: 'Please log in' };

/** A page whose one call is answered with 401 when the test says so. */
function pageThatAsks(answered: object = ENDED) {
  const storage = memoryStorage();
  const hints = createSessionHints({ storage, onStorageChange: () => () => undefined });
  const { promise, resolve } = Promise.withResolvers<Response>();
  const api = createSessionApi({ apiOrigin: '' }, hints, () => promise);
  const ask = () => api.call(findConnectedAccounts, { userId: ADA.id });
  return { hints, ask, answer: () => resolve(Response.json(answered, { status: 401 })) };
}

test('an answer that the session has ended takes the hints of whoever had it', async () => {
  const { hints, ask, answer } = pageThatAsks();
  hints.begin(ADA);
  const asked = ask();
  answer();
  await asked;
  expect(hints.userId()).toBeUndefined();
});

test('an answer that the session has ended leaves the hints of whoever has logged in meanwhile', async () => {
  for (const before of [ADA, undefined]) {
    const { hints, ask, answer } = pageThatAsks();
    if (before) hints.begin(before);
    const asked = ask();
    hints.begin(EVE);
    answer();
    expect(await asked).toMatchObject({ code: 'no_session' });
    expect(hints.userId()).toBe(EVE.id);
  }
});

test('an answer that the session was ended from elsewhere is kept for the log-in page, until somebody logs in', async () => {
  const message = 'This device was logged out from another one.';
  const { hints, ask, answer } = pageThatAsks({ status: 'error', code: 'session_ended', message });
  hints.begin(ADA);
  const asked = ask();
  answer();
  await asked;
  expect([hints.userId(), hints.ended()]).toEqual([undefined, message]);
  hints.begin(EVE);
  expect(hints.ended()).toBeUndefined();
});
