import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spokenFaults } from './spoken-words.ts';
import { readVisibleTexts, textsIn } from './visible-texts.ts';

const ALL = readVisibleTexts();
const faultsOf = (text: string): string[] => spokenFaults({ file: 'web/src/a.tsx', line: 1, text });

test('every text that people see keeps to the terms, and to 25 words a sentence', () => {
  expect(ALL.length).toBeGreaterThan(1000);
  expect(ALL.flatMap(spokenFaults)).toEqual([]);
});

test.each([
  ['Your e-mail address is wrong.', 'email'],
  ['The answer comes by mail.', 'email'],
  ['You can not do this.', 'can’t'],
  ['It does not work.', 'the short form'],
  ["It can't be read.", 'an apostrophe'],
  ['Light colours', 'color'],
  ['Your plan goes on.', 'continue'],
  ['Pay now!', 'exclamation'],
  ['$0.00 is charged until then.', 'You won’t be charged'],
  ['{…} % so far', 'without a space'],
  ['350 left afterwards', 'afterward'],
  ['Loading your account …', 'right after'],
  ['Enter your user name', 'username'],
  ['Please login again.', 'log in'],
  ['You’re signed in here.', 'log in'],
  ['The app starts anew.', 'again'],
  ['This is another account than yours.', 'different'],
])('a planted "%s" is caught', (text, right) => {
  expect(faultsOf(text).join()).toContain(right);
});

/** Each kind of place that people read, with what stands there. */
test.each([
  ['a mail', 'server/src/mail/account-mails.ts', 'Your account is ready.'],
  ['the foot of every mail', 'server/src/mail/mail-layout.ts', 'Questions? Write to'],
  ['a push notification', 'shared/domain/delivery/push-text.ts', 'Likes delivered: '],
  ['a page of the sandbox', 'server/sandbox/site/feed-page.ts', 'Nobody has posted yet.'],
  ['the sandbox’s mails', 'server/sandbox/site/mail-page.ts', 'No emails yet.'],
  [
    'an error of a call',
    'server/src/kit/http/error-response.ts',
    'There’s nothing at this address.',
  ],
  ['an error of a service', 'server/src/identity/sessions/login.service.ts', 'isn’t right.'],
  ['an error of a repository', 'server/src/network/accounts/account.repository.ts', 'You can'],
  ['a rule of a field', 'shared/contract/fields.ts', 'Please enter a username'],
  ['the page of the API', 'server/src/ops/api-docs/api-page.routes.ts', 'Rules for every call'],
  ['a start that fails', 'server/src/main/config/config.ts', 'must be different ports.'],
  ['an operator’s command', 'server/src/ops/operator/command-line.ts', 'No open requests.'],
  ['help', 'web/src/features/settings/help/help-topics.ts', 'Where do I see what I paid for?'],
  ['questions and answers', 'web/src/ui/words/faq.ts', 'Do you need my password?'],
  ['terms', 'web/src/features/public/legal/terms.ts', 'Videos get one free view per like.'],
  ['privacy', 'web/src/features/public/legal/privacy.ts', 'We don’t track you.'],
  ['an aria-label', 'web/src/features/posts/status/status-strip.tsx', 'At a glance'],
  ['a shortcut', 'web/src/customer/commands/shortcuts.ts', 'Show all shortcuts'],
  ['the error page', 'web/src/app/router.tsx', 'We couldn’t show this page.'],
  ['a page without scripts', 'web/index.html', 'This page needs JavaScript.'],
  ['the installed app', 'web/public/manifest.webmanifest', 'Billing'],
  ['the desktop’s menu', 'desktop/main/menu.ts', 'Check for updates'],
  ['the desktop’s first page', 'desktop/renderer/main.tsx', 'Server address'],
  ['the notes of an update', 'desktop/release-notes.md', 'The first version of the app.'],
])('a bad word in %s is caught', (_place, file, said) => {
  const source = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
  const planted = source.replaceAll(said, `${said} E-mail us`);
  expect(textsIn(file, source).flatMap(spokenFaults)).toEqual([]);
  expect(ALL.some((text) => text.file === file)).toBe(true);
  expect(textsIn(file, planted).flatMap(spokenFaults).join()).toContain('say email');
});

test('the sandbox’s own pages keep to them too, the systems it imitates say what those say', () => {
  const planted = { line: 1, text: 'This can not be read.' };
  const faultsIn = (file: string): number => spokenFaults({ ...planted, file }).length;
  expect(faultsIn('server/sandbox/site/page.ts')).toBe(1);
  expect(faultsIn('server/sandbox/site/mail-page.ts')).toBe(1);
  expect(faultsIn('server/sandbox/graph/errors.ts')).toBe(0);
});

test('a sentence of 26 words is caught, one of 25 with a value in it is not', () => {
  const words = (count: number): string => `${'word '.repeat(count - 1)}end.`;
  expect(faultsOf(`Short. ${words(26)}`)).toEqual([
    expect.stringContaining('26 words') as unknown as string,
  ]);
  expect(faultsOf(`{…} ${words(24)} ${words(25)}`)).toEqual([]);
});

test('the specification’s own sentences stay as they are', () => {
  expect(faultsOf('Password changed successfully!')).toEqual([]);
});
