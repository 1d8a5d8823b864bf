import { expect, test } from 'vitest';
import { PLANS } from '#shared/domain/money/plans.ts';
import { renderPages } from './prerender.tsx';
import { Locator } from './testing/dom/locator.ts';

/** A public page as the build writes it: it reads without JavaScript. */
function read(path: string): { page: Locator; title: string; hasScript: boolean } {
  const rendered = renderPages().find((each) => each.path === path);
  if (!rendered) throw new Error(`${path} is not written`);
  const { html, title, hasScript } = rendered;
  const body = document.createElement('body');
  body.innerHTML = html;
  return { page: new Locator(() => [body], path), title, hasScript };
}

const sizes = (text: string | null | undefined): number[] =>
  Array.from(text?.matchAll(/\d+(?:\.\d+)?/g) ?? [], ([digits]) => Number(digits));

const hrefs = (place: Locator): Array<string | null> =>
  place.all().map((link) => link.getAttribute('href'));

test('sections hero, features, services, pricing, faq and contact are there', () => {
  const { page } = read('/');
  for (const id of ['hero', 'features', 'services', 'pricing', 'faq', 'contact']) {
    expect(page.locator(`section#${id}`).count()).toBe(1);
  }
});

// Shows fact 2.13.
test('the head leads to Home, Features, Pricing and FAQs, to /login and to /signup', () => {
  const { page } = read('/');
  const links = page.locator('header a');
  for (const [name, href] of [
    ['Home', '#hero'],
    ['Features', '#features'],
    ['Pricing', '#pricing'],
    ['FAQs', '#faq'],
    ['Log In', '/login'],
    ['Sign Up', '/signup'],
  ] as const) {
    expect(hrefs(links.filter({ hasText: name }))).toContain(href);
  }
});

// Shows facts 1.16, 2.10, 2.79, 9.01, 9.02, 9.03, 9.04.
test('the page reads without JavaScript, prices, answers and delivery target included', async () => {
  const { page, title } = read('/');
  expect(title).toBe('Applause for every post · Ovation');
  for (const { number, description, price } of PLANS) {
    const card = await page.locator(`[data-plan="${number}"]`).text();
    expect(card).toContain(description);
    expect(card).toContain(`$${price}`);
  }
  expect(await page.locator('[data-delivery-promise]').text()).toContain(
    'detected within 30 seconds',
  );
  const answer = page.locator('#faq details').filter({ hasText: 'Do you need my password?' });
  expect(await answer.text()).toContain('We only need your username. It has to be');
});

// Shows facts 1.02, 1.06.
test('the copy speaks to owners of accounts and to businesses, and says that each like comes from another member who opted in', async () => {
  const { page } = read('/');
  const hero = await page.locator('#hero').text();
  expect(hero).toContain('Likes for every Instagram post, from people who opted in.');
  expect(hero).toContain('For creators and businesses who want more likes.');
  expect(await page.locator('#features').text()).toContain(
    'Each like comes from a different member of the network.',
  );
});

test('the rows of seats on each price card are drawn whole, inside their picture', () => {
  const { page } = read('/');
  const rows = page.locator('#pricing article svg[viewBox] path[pathLength]').all();
  expect(rows).toHaveLength(PLANS.length ** 2);
  const half = 3;
  const outside = rows.filter((row) => {
    const [, , width = 0, height = 0] = sizes(row.closest('svg')?.getAttribute('viewBox'));
    const [left = 0, bottom = 0, radius = 0, , , , , right = 0] = sizes(row.getAttribute('d'));
    // A fan of less than a half circle: its lowest points are its ends, its highest the middle.
    const rise = radius - Math.sqrt(radius ** 2 - ((right - left) / 2) ** 2);
    const fits = left >= half && right <= width - half && bottom <= height - half;
    return !fits || bottom - rise < half;
  });
  expect(outside.map((row) => row.getAttribute('d'))).toEqual([]);
});

// Shows facts 2.16, 2.17, 2.18, 2.25.
test('Get Started, each of the three steps and each price card lead to /signup', () => {
  const { page } = read('/');
  expect(hrefs(page.locator('#services li a'))).toEqual(['/signup', '/signup', '/signup']);
  expect(page.locator('#services h3').texts()).toEqual([
    'Upload a picture or video',
    'The new media is detected automatically',
    'Watch your likes grow',
  ]);
  expect(hrefs(page.locator('#pricing article a'))).toEqual(
    PLANS.map(({ number }) => `/signup?package=${number}`),
  );
  // One start, with the username field before it.
  const starts = page.locator('#hero a, #hero button').all();
  expect(starts.map((one) => one.textContent)).toEqual(['Get Started']);
  expect(starts[0]?.closest('form')?.getAttribute('action')).toBe('/signup');
});

// Shows facts 1.08, 1.18, 1.19, 2.19, 2.26, 2.27.
test('each card lists what every plan comes with, as far as it exists, and no other place repeats it', () => {
  const { page } = read('/');
  for (const { number } of PLANS) {
    expect(page.locator(`[data-plan="${number}"] li`).texts()).toEqual([
      'Unlimited posts',
      'Real likes from real users',
      'Free views on all videos',
      'No password, no stored card number',
      'Support by contact form',
      '30 day money back guarantee',
      'Cancel anytime',
    ]);
  }
  const elsewhere = page.getByText('30 day money back guarantee').count() - PLANS.length;
  expect(elsewhere).toBe(0);
  expect(page.texts().join(' ')).not.toMatch(/24\/7|natural/i);
});

// Shows facts 1.23, 2.34.
test('the foot has the sections, the legal pages, Log In, Sign Up and the disclaimer', async () => {
  const { page } = read('/');
  const foot = page.locator('footer');
  expect(hrefs(foot.locator('a'))).toEqual([
    '#features',
    '#pricing',
    '#faq',
    '#contact',
    '/terms-of-service',
    '/privacy-policy',
    '/login',
    '/signup',
  ]);
  expect(await foot.text()).toContain('not endorsed by, or connected with, Instagram');
});

// Shows fact 1.22.
test('the honest sentence and the four cards stand in the pricing section', async () => {
  const { page } = read('/');
  const pricing = await page.locator('#pricing').text();
  expect(pricing).toContain('Buying likes is against most networks’ rules');
  expect(pricing).toContain('Visa, Mastercard, Discover or American Express');
});

test.each([
  ['/terms-of-service', 'Terms of service', 'In the first 30 days of a new subscription'],
  ['/privacy-policy', 'Privacy policy', 'Fonts, pictures and our own scripts come from here'],
])('%s is a text page without JavaScript', async (path, name, sentence) => {
  const { page, title, hasScript } = read(path);
  expect(await page.locator('h1').text()).toBe(name);
  expect(title).toBe(`${name} · Ovation`);
  expect(await page.locator('main').text()).toContain(sentence);
  expect(page.locator('h2').count()).toBeGreaterThan(6);
  expect(hasScript).toBe(false);
});
