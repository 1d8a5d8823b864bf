import type { VisibleText } from './visible-texts.ts';

/** Words we don't use, each with the one we do. */
const TERMS: ReadonlyArray<readonly [wrong: RegExp, right: string]> = [
  [/\be-mail/i, 'email'],
  [/\b(a|by|the|this|these|our|each|in) mails?\b(?! server)|\bmails (to|are|you)\b/i, 'email'],
  [/\blog-(in|out|on)\b|\blogon\b/i, 'login, log in'],
  [/(?<!operator -- )\bsign(ed)?[- ](out|off)\b/i, 'log out'],
  [/(?<!Keep Me )\bsign(ed|ing|s)?[- ]in\b/i, 'log in'],
  [/\bcan ?not\b/i, 'can’t'],
  [/\b(?<!Please )(do|does|did|could|has|have) not\b/i, 'the short form, with ’'],
  [/\p{L}'(s|t|re|ve|ll|d|m)\b/u, '’ for an apostrophe'],
  [/\bcolour|\bfavour/i, 'color'],
  [/\bafterwards\b|\btowards\b|\bwhilst\b/i, 'afterward, toward, while'],
  [/\bcentre\b|\w+metre\b|\bgrey\b/i, 'the American spelling'],
  [/\buser name/i, 'username'],
  [/\b(to|and|or|please|then|can|must) login\b/i, 'log in'],
  [/\banew\b/i, 'again'],
  [/\banother \w+ than\b/i, 'a different … from'],
  [/\bcancell(ed|ing)\b/i, 'canceled'],
  [/\bmisspelt\b|\blicence\b|\borganis|\brecognis|\bfavourite/i, 'the American spelling'],
  [/age-(gated|limited)/i, 'age-restricted'],
  [/\bsomebody\b|\banybody\b|(?<!sign-out )\beverybody\b/i, 'someone'],
  [/\bby (itself|themselves|hand)\b/i, 'automatically, with credits'],
  [/\bat the moment\b|\S just now\b/i, 'right now'],
  [/\bno answer came\b/i, 'we couldn’t reach the server'],
  [/\b(goes|went) on\b|\bgo on\b/i, 'continue'],
  [/\bany ?more\b/i, 'no longer'],
  [/\$0\.00/, 'You won’t be charged'],
  [/[\d}] %/, '5%, without a space'],
  [/\p{L} …/u, '… right after the word'],
  [/!/, 'no exclamation mark'],
];

/** Sentences of the specification, which stay word for word (S§2, S§4, S§5, S§8; D4). */
const SPECIFIED: ReadonlySet<string> = new Set([
  'OTP Verified successfully!',
  'Password changed successfully!',
  'Unexpected Application Error!',
  'Passwords do not match.',
  'Keep Me Signed in',
  'Remembered your password? Sign In',
  'Your payment is being checked. Please do not pay again.',
]);

/** Words of the systems we imitate, which stay as these say them; the sandbox's own pages are ours. */
const NOT_OURS = /^server\/sandbox\/(?!site\/|demo\/|accounts|upload)/;
const LONGEST = 25;

/** What is wrong with the words of a text, each in a line; none when it is well said. */
export function spokenFaults({ file, line, text }: VisibleText): string[] {
  if (SPECIFIED.has(text) || NOT_OURS.test(file)) return [];
  const where = `${file}:${line}`;
  const faults = TERMS.filter(([wrong]) => wrong.test(text)).map(
    ([, right]) => `${where}: say ${right}: ${text}`,
  );
  for (const sentence of sentencesOf(text)) {
    const words = sentence.split(' ').length;
    if (words > LONGEST) faults.push(`${where}: ${words} words: ${sentence}`);
  }
  return faults;
}

/** A value counts as one word; a colon doesn't end a sentence. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!])\s+/).map((sentence) => sentence.trim());
}
