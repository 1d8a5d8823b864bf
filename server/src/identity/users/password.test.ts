import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { ApiError } from '#server/kit/api-error.ts';
import { seededBytes } from '#test/seeded.ts';
import { createPasswords, HASH_OPTIONS, NOBODYS_HASH } from './password.ts';

const GATE = { concurrency: 2, waiting: 8 };

test('a password fits its own hash and no other', async () => {
  const passwords = createPasswords({ random: seededBytes(1) }, GATE);
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(parseOptions(stored)).toMatchObject(HASH_OPTIONS);
  expect(await passwords.verify(stored, 'correct horse')).toBe(true);
  expect(await passwords.verify(stored, 'correct horse ')).toBe(false);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
});

test('an unknown address costs a check of the same strength and never fits', async () => {
  const passwords = createPasswords({ random: seededBytes(1) }, GATE);
  expect(parseOptions(NOBODYS_HASH)).toMatchObject(HASH_OPTIONS);
  expect(parseOptions(NOBODYS_HASH)).toMatchObject({ saltLen: 16, outputLen: 32 });
  expect(await passwords.verify(undefined, '')).toBe(false);
});

test('for an unknown address a hash is really computed, as for a known one', async () => {
  const passwords = createPasswords({ random: seededBytes(1) }, GATE);
  const stored = await passwords.hash('correct horse');
  const ended: string[] = [];
  const checks = [stored, undefined].map(async (hash) => {
    await passwords.verify(hash, 'wrong');
    ended.push(hash === undefined ? 'unknown' : 'known');
  });
  // A hash is computed on another thread, which is heard of in a later turn of the event loop at the
  // earliest; a shortcut would have ended in this one.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(ended).toEqual([]);
  await Promise.all(checks);
  expect(ended).toHaveLength(2);
});

test('beyond the queue people are asked to come back, and the others get their answer', async () => {
  const passwords = createPasswords({ random: seededBytes(1) }, { concurrency: 1, waiting: 2 });
  const answers = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((word) => passwords.hash(word)),
  );
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  const [refused] = answers.filter((answer) => answer.status === 'rejected');
  expect(refused?.reason).toBeInstanceOf(ApiError);
  expect(refused?.reason).toMatchObject({ code: 'overloaded' });
  expect(await passwords.hash('later')).toMatch(/^\$argon2id\$/);
});

test('who is known goes before a full queue of strangers', async () => {
  const passwords = createPasswords({ random: seededBytes(1) }, { concurrency: 1, waiting: 3 });
  const ended: string[] = [];
  const check = async (name: string, place: 'first' | 'last'): Promise<void> => {
    await passwords.verify(undefined, 'wrong', place);
    ended.push(name);
  };
  const strangers = ['running', 'a', 'b', 'c'].map((name) => check(name, 'last'));
  await Promise.all([...strangers, check('known', 'first')]);
  expect(ended).toEqual(['running', 'known', 'a', 'b', 'c']);
});
