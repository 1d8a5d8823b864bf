import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '#server/kit/api-error.ts';
import { newestCode, wrongCodeFor } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { requestCode, verifyCode } from './recovery.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** `GUESSERS=100` for ten thousand guesses. */
const ADDRESSES = Number(process.env['GUESSERS'] ?? 5);
const GUESSES = 100 * ADDRESSES;
const CONCURRENCY = 50;
const email = 'victim@example.test';

async function countMails(): Promise<number> {
  const { mails } = await deps.database.db
    .selectFrom('owed_mail')
    .select(({ fn }) => fn.countAll<string>().as('mails'))
    .executeTakeFirstOrThrow();
  return Number(mails);
}

/** How a guess ended: a refusal's code, or "granted". */
async function guess(code: string, address: string, token: string): Promise<string> {
  try {
    await verifyCode(deps, { email, code, address, token });
    return 'granted';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('guesses from many addresses never get past 5 tries a code, not even with the right one', async () => {
  const { token } = await requestCode(deps, {
    email,
    address: 'attacker',
    browserToken: undefined,
    formerToken: undefined,
  });
  const code = await newestCode(deps);
  const ends = new Map<string, number>();
  for (let done = 0; done < GUESSES; done += CONCURRENCY) {
    const outcomes = Array.from({ length: CONCURRENCY }, (_, offset) => {
      const index = done + offset;
      // The first fifty are wrong; the right code comes up again and again after that.
      const isRight = index >= CONCURRENCY && index % 10 === 0;
      const tried = isRight ? code : wrongCodeFor(code, 1 + (index % 999_999));
      return guess(tried, `198.51.100.${index % ADDRESSES}`, token);
    });
    for (const outcome of await Promise.all(outcomes)) {
      ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    }
  }
  const { tries } = await deps.database.db
    .selectFrom('recovery')
    .select('tries')
    .executeTakeFirstOrThrow();
  expect(tries).toBe(5);
  expect(ends.get('granted')).toBeUndefined();
  expect(ends.get('wrong_code')).toBe(ADDRESSES * 60);
  expect(ends.get('rate_limited')).toBe(GUESSES - ADDRESSES * 60);
});

test('sixty days of guessing from any number of networks are 50 tries at six digits, all others at eight characters', async () => {
  deps.clock.advance(30 * 86_400_000);
  let short = 0;
  let long = 0;
  let mails = await countMails();
  const days = 60;
  for (let day = 0; day < days; day += 1) {
    for (let index = 0; index < 7; index += 1) {
      const address = `203.0.${day % 256}.${index}`;
      const { isLong } = await requestCode(deps, {
        email,
        address,
        browserToken: undefined,
        formerToken: undefined,
      });
      const before = mails;
      mails = await countMails();
      if (mails === before) continue;
      if (isLong) long += 1;
      else short += 1;
    }
    deps.clock.advance(86_400_000);
  }
  expect([short * 5, long]).toEqual([50, days * 6 - 10]);
});
