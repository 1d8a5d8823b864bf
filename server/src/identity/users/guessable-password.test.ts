import { expect, test } from 'vitest';
import { COMMON_WORDS } from './common-words.ts';
import { isGuessable } from './guessable-password.ts';

/** From the published lists of the most used passwords, those of 8 characters and more. */
const MOST_USED = `password 12345678 123456789 1234567890 iloveyou password1 password123 qwertyuiop
  qwerty123 1q2w3e4r 1qaz2wsx abc12345 abcd1234 11111111 00000000 88888888 12341234 123123123 qwerty12345
  87654321 987654321 asdfghjkl zxcvbnm123 1q2w3e4r5t zaq12wsx qazwsxedc football baseball superman princess
  sunshine welcome1 letmein1 admin123 administrator trustno1 passw0rd p@ssw0rd P@$$w0rd! Password1! changeme
  michelle jennifer computer internet whatever starwars corvette mercedes liverpool liverpool1 charlie1
  jordan23 pokemon123 minecraft fuckyou1 asshole1 iloveyou1 iloveyou2 lovelove loveyou1 dragon123 monkey12
  monkey123 shadow12 master123 test1234 testtest guest123 hello123 qwer1234 asdf1234 aaaaaaaa abcabcabc
  aaa11111 summer2024 Winter2023! samsung1 google123 instagram instagram1 chocolate butterfly
  elizabeth alexander christopher secret123 access14 azertyuiop 19870512 12051987 $unsh1ne m1chael1
  passwordpassword ........ abababab !@#$%^&* 1234qwer q1w2e3r4`
  .trim()
  .split(/\s+/);

test('the most used passwords are refused', () => {
  expect(MOST_USED.filter((password) => !isGuessable(password, []))).toEqual([]);
});

test('what is made of the customer’s own name, address or username is refused', () => {
  const own = ['ovation', 'adalovelace', 'lovelace', 'ada+(x@lovelaceexample'];
  for (const guess of [
    'ovation123',
    'Ov4tion!!',
    'AdaLovelace',
    'lovelace1815',
    'ada+(x@lovelaceexample',
    'l0velace',
  ]) {
    expect([guess, isGuessable(guess, own)]).toEqual([guess, true]);
  }
});

test('a good password passes, whatever characters it has or hasn’t', () => {
  for (const good of [
    'correct horse battery',
    'a brand new password',
    'another good passphrase',
    'sitting-Canary-71!',
    'kqjzvwhx',
    '83920174',
    'ドラゴンと月の夜道',
    'tree lamp 48 river',
    'dragonfly over water',
    'xhG7#kLq2',
    'geheimnisvoller Nebel',
  ]) {
    expect([good, isGuessable(good, ['ovation'])]).toEqual([good, false]);
  }
});

test('the list is of words that a customer could type', () => {
  expect(COMMON_WORDS.length).toBeGreaterThan(600);
  expect(COMMON_WORDS.filter((word) => !/^[a-z0-9]{3,}$/.test(word))).toEqual([]);
});

test('the longest password allowed is judged at once', () => {
  for (const long of [
    'a'.repeat(128),
    'ab1'.repeat(42),
    'love1'.repeat(25),
    '\u{1F600}'.repeat(128),
  ]) {
    expect(typeof isGuessable(long, ['ovation'])).toBe('boolean');
  }
});
