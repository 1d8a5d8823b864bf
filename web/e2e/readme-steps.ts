import type { BrowserContext, Locator, Page } from 'playwright-core';
import { DAY_MS } from '#shared/domain/durations.ts';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { fillCheckout, pay } from './customer.ts';
import { makeJpeg } from './real-files.ts';

/** One visit of somebody who tries the product as the README says. */
export interface Visit {
  /** Opens a browser that knows nothing yet, by the product's time. */
  open: () => Promise<BrowserContext>;
  /** The nth, from 1. */
  nth: number;
  isLast: boolean;
  /** What the start has printed. */
  printed: string;
  /** The README's first line of commands, which has been run. */
  command: string;
  /** The product's time. */
  now: () => number;
  say: (what: string) => void;
}

/** What the pages of one visit know of each other. */
interface Place extends Visit {
  page: Page;
  caption: string;
  sharedAt: number;
}

/** A text of the README, and how it is played; what may change in it stands in groups. */
type Play = readonly [says: RegExp, play: (place: Place, said: string[]) => Promise<void>];

/** After a whole day of posts the network takes its time: half an hour and more between two. */
const LIFE_MS = 3_600_000;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

const PLAYS: readonly Play[] = [
  [/^Run `(.+)`, open the product's address and log in with the demo login\.$/, openDemo],
  [/^Open the social network's address, choose @(\S+) and share a picture\.$/, sharePicture],
  [
    /^Within (\d+) seconds it's on the dashboard, and its likes start to climb\. Click it to see the receipt\.$/,
    watchLikes,
  ],
  [
    /^The demo login has (\w+) accounts, months of posts, and credits to spend\. (\w+) of the accounts post on their own; @(\S+) is yours\. The second login belongs to someone who has just signed up, and opens at the checkout\.$/,
    lookAround,
  ],
  [
    /^At the checkout, card `([\d ]+)` pays, card `([\d ]+)` is declined, and with card `([\d ]+)` the bank asks first\. Everything outside .+ demo data\.$/,
    payByCard,
  ],
];

/** The texts of the README's section, in order, each with how it is played. @throws where one is not known */
export function readSteps(readme: string): Array<(place: Place) => Promise<void>> {
  const section = readme.split('\n## Try it\n')[1]?.split('\n## ')[0] ?? '';
  const texts = section
    .split('\n')
    .map((line) => line.replace(/^\d+\. /, ''))
    .filter((line) => line !== '');
  const steps = texts.map((text) => {
    const found = PLAYS.flatMap(([says, play]) => {
      const said = says.exec(text);
      return said ? [{ play, said: said.slice(1) }] : [];
    })[0];
    if (!found) throw new Error(`The README says what this check can't play: “${text}”`);
    return async (place: Place) => {
      place.say(`  ${text.slice(0, 70)}…`);
      await found.play(place, found.said);
    };
  });
  if (steps.length !== PLAYS.length) throw new Error('The README leaves out a step of “Try it”.');
  return steps;
}

/** Plays all of it in browsers of its own. */
export async function playSteps(readme: string, visit: Visit): Promise<void> {
  const steps = readSteps(readme);
  const context = await visit.open();
  const page = await context.newPage();
  const place: Place = { ...visit, page, caption: `Visit ${visit.nth}`, sharedAt: 0 };
  for (const step of steps) await step(place);
  await context.close();
}

function printed({ printed: text }: Place, label: string): string[] {
  const line = text.split('\n').find((each) => each.startsWith(`${label}  `));
  if (line === undefined) throw new Error(`The start doesn't print “${label}”.`);
  return line.slice(label.length).trim().split(/\s+/);
}

async function logIn(place: Place, page: Page, label: string): Promise<void> {
  const [email = '', password = ''] = printed(place, label);
  await page.goto(printed(place, 'Ovation')[0] ?? '');
  await page.getByRole('link', { name: 'Log in' }).first().click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function openDemo(place: Place, [command]: string[]): Promise<void> {
  holds(command === place.command, `the step runs ${command}, the first line ${place.command}`);
  await logIn(place, place.page, 'Demo login');
  await place.page.waitForURL('**/dashboard');
  await place.page.getByRole('region', { name: 'Account' }).waitFor();
}

async function sharePicture(place: Place, [username = '']: string[]): Promise<void> {
  const network = await place.page.context().newPage();
  await network.goto(printed(place, 'Social network')[0] ?? '');
  const newest = await network.locator('article time').first().getAttribute('datetime');
  const silentMs = place.now() - Date.parse(newest ?? '');
  holds(
    place.nth === 1 || silentMs < LIFE_MS,
    `nobody has posted for ${Math.round(silentMs / 60_000)} min`,
  );
  await network.getByRole('complementary').getByRole('link', { name: username }).click();
  await network.getByText('Share a picture or video').click();
  const buffer = await makeJpeg(place.nth);
  const file = { name: 'mine.jpg', mimeType: 'image/jpeg', buffer };
  await network.getByLabel('Picture or video').setInputFiles(file);
  await network.getByLabel('Caption').fill(place.caption);
  await network.getByRole('button', { name: 'Share' }).click();
  await network.getByText(place.caption).first().waitFor();
  place.sharedAt = Date.now();
  await network.close();
}

async function watchLikes(place: Place, [seconds]: string[]): Promise<void> {
  const { page, caption, sharedAt } = place;
  const card = page.locator('[data-post]').filter({ hasText: caption });
  await card.waitFor({ timeout: Number(seconds) * 1000 - (Date.now() - sharedAt) });
  const found = Math.round((Date.now() - sharedAt) / 1000);
  const first = await risesAbove(card, 0);
  const later = await risesAbove(card, first);
  await card.getByRole('link').click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  const value = (label: string) => receipt.locator(`dt:text-is("${label}") + dd`).innerText();
  await receipt.getByText('Likes ordered').waitFor();
  const ordered = await value('Likes ordered');
  holds(Number(await value('Delivered')) >= later, 'the receipt has fewer likes than the card');
  place.say(`    there after ${found} s, likes ${first}, ${later}, … of ${ordered}; receipt open`);
  await page.getByRole('button', { name: 'Close receipt' }).click();
}

/** Waits until more likes than these are delivered; how many. */
async function risesAbove(card: Locator, likes: number): Promise<number> {
  for (const until = Date.now() + patiently(WAIT_MS); Date.now() < until;) {
    const words = await card.getByText(/^[\d,]+ delivered$/).allInnerTexts();
    const now = Number(words[0]?.replaceAll(/\D/g, '') ?? 0);
    if (now > likes) return now;
    await card.page().waitForTimeout(250);
  }
  throw new Error(`The likes stay at ${likes}.`);
}

/** The accounts of the demo login, and where the second one begins. */
async function lookAround(place: Place, [accounts, busy, own = '']: string[]): Promise<void> {
  const { page, now } = place;
  const options = page.getByRole('region', { name: 'Account' }).getByRole('option');
  await options.nth(1).waitFor();
  const names = (await options.allInnerTexts()).flatMap((text) => /@(\S+)/.exec(text)?.[1] ?? []);
  holds(NUMBERS[names.length] === accounts, `the accounts are ${names.join(', ')}`);
  const others = names.filter((name) => name !== own);
  holds(
    NUMBERS[others.length] === busy?.toLowerCase(),
    `others than @${own}: ${others.join(', ')}`,
  );
  const counted = await page
    .getByText(/^[\d,]+ posts/)
    .first()
    .innerText();
  const posts = Number.parseInt(counted.replace(',', ''), 10);
  holds(posts > 50, `${posts} posts`);
  await page.getByRole('button', { name: /^Credits [1-9]/ }).waitFor();
  for (const name of others) {
    await chooseAccount(page, name);
    const newest = page.locator('[data-post]').first();
    const label = (await newest.getByRole('link').getAttribute('aria-label')) ?? '';
    const likes = await newest.getByText(/ delivered$/).allInnerTexts();
    place.say(`    @${name}: ${label}, ${likes.join('')}`);
    if (place.nth === 1) continue;
    const posted = /from (.*)/.exec(label)?.[1]?.replaceAll(/\s/g, ' ');
    const isRecent = now() - Date.parse(`${posted} UTC`) < DAY_MS / 2;
    holds(isRecent, `@${name} has posted nothing for half a day`);
    await newest.getByText(/^[1-9][\d,]* delivered$/).waitFor();
  }
  // The next log-in opens with the account that was shown last.
  await chooseAccount(page, own);
}

async function chooseAccount(page: Page, name: string): Promise<void> {
  await page.getByRole('option', { name: `@${name}` }).click();
  await page.getByRole('heading', { level: 1, name: `@${name}` }).waitFor();
}

/** The second login's checkout takes the cards as it says; paid for is only once, at last. */
async function payByCard(
  place: Place,
  [pays = '', declined = '', asked = '']: string[],
): Promise<void> {
  const context = await place.open();
  const page = await context.newPage();
  await logIn(place, page, 'Just signed up');
  await page.waitForURL('**/subscription');
  await fillCheckout(page, { number: declined });
  await pay(page);
  await page.getByText(/declined this card/).waitFor();
  await fillCheckout(page, { number: asked });
  await pay(page);
  await page.getByRole('heading', { name: /^Your bank asks you to confirm/ }).waitFor();
  await page.getByRole('button', { name: 'Don’t pay' }).click();
  await page.getByText('you were not charged').waitFor();
  if (place.isLast) {
    await fillCheckout(page, { number: pays });
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
  }
  await context.close();
}

function holds(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
