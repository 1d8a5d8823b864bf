import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { runFuzz } from './run-fuzz.ts';

/** The long run (`npm run fuzz`) takes a seed of its own each time; this one is always the same. */
const SEED = 20_261_121;
const REQUESTS = 500;

test('whatever is sent, every answer comes soon and is one the contract names', async () => {
  const report = await runFuzz({ seed: SEED, requests: REQUESTS });
  expect(report.faults.join('\n\n')).toBe('');
  expect(report.requests).toBe(REQUESTS);
  for (const { path } of Object.values(CALLS)) {
    const statuses = report.statuses.get(path);
    const rest = [...(statuses ?? [])].filter(([status]) => ![401, 405, 413, 415].includes(status));
    expect({ path, isReached: rest.length > 0 }).toEqual({ path, isReached: true });
  }
}, 120_000);
