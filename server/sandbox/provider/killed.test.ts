import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '#test/seeded.ts';
import { createOutsideWorld, WORLD_STARTS_AT } from '../outside-world.fake.ts';
import { registerProvider } from '../provider.ts';
import { orderFor, providerClient } from './provider-client.fake.ts';

const ENTRY = fileURLToPath(new URL('killed-process.fake.ts', import.meta.url));
const ORDERS = 40;
const RUNS = Number(process.env['RUNS'] ?? 4);
const RUN_MS = 40_000;
/** By then every order is complete, however often it was killed before. */
const ENDS_MS = 640_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs until it has ticked that often, then kills it without warning. */
async function runUntilKilled(statePath: string, startsAt: number, ticks: number): Promise<void> {
  const child = spawn(process.execPath, [ENTRY, statePath, String(startsAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = 0;
  createInterface(child.stdout).on('line', () => {
    seen += 1;
    if (seen === ticks) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
}

test('killed again and again in the middle of its work, it gives every like exactly once', async () => {
  const statePath = join(folder, 'state.db');
  const first = createOutsideWorld({ statePath });
  registerProvider(first.app, first.ctx, { tickMs: 0 });
  const orders = Array.from({ length: ORDERS }, (_, index) => {
    const media = first.post({ mediaType: 'VIDEO' });
    return orderFor(first, media, {
      ref: `order-${index}`,
      likes: 100 + index,
      views: 100 + index,
    });
  });
  await providerClient(first).place(...orders);
  first.drop();

  const random = seededRandom(11);
  for (let run = 0; run < RUNS; run += 1) {
    const startsAt = WORLD_STARTS_AT + run * RUN_MS;
    await runUntilKilled(statePath, startsAt, 20 + Math.floor(random() * 100));
  }

  const last = createOutsideWorld({ statePath, nowMs: WORLD_STARTS_AT + RUNS * RUN_MS });
  const provider = registerProvider(last.app, last.ctx, { tickMs: 0 });
  const client = providerClient(last);
  const open = await client.book();
  expect(open.filter(({ status }) => status === 'In progress').length).toBeGreaterThan(ORDERS / 2);
  await client.place(...orders);
  while (last.clock.nowMs < WORLD_STARTS_AT + ENDS_MS) {
    last.clock.nowMs += 1000;
    provider.tick();
  }
  for (const [index, entry] of (await client.book()).entries()) {
    const likes = 100 + index;
    expect(entry).toMatchObject({ seen: 2, status: 'Completed', delivered: likes, views: likes });
    expect(entry.distinctMembers).toBe(likes);
    expect(last.ctx.media.countDistinctMembers(entry.mediaId)).toBe(likes);
    expect(last.ctx.media.get(entry.mediaId)).toMatchObject({
      memberLikes: likes,
      memberViews: likes,
    });
  }
  last.drop();
});
