import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { FIRST_ROUNDS } from './fuzz-request.ts';
import { runFuzz } from './run-fuzz.ts';

/** The long run (`npm run fuzz`) takes a seed of its own each time; this one is always the same. */
const SEED = 20_261_121;
const REQUESTS = FIRST_ROUNDS + 160;

test('whatever is sent, every answer comes soon and is one the contract names', async () => {
  const report = await runFuzz({ seed: SEED, requests: REQUESTS });
  expect(report.faults.join('\n\n')).toBe('');
  expect(report.requests).toBe(REQUESTS);
  for (const { path, session } of Object.values(CALLS)) {
    const statuses = report.statuses.get(path);
    // Without a session to ask for, a 401 is the call's own answer: a wrong password.
    const atTheDoor = session === 'required' ? [401, 405, 413, 415] : [405, 413, 415];
    const rest = [...(statuses ?? [])].filter(([status]) => !atTheDoor.includes(status));
    expect({ path, isReached: rest.length > 0 }).toEqual({ path, isReached: true });
  }
});
