import { expect, test } from 'vitest';
import { addTicket, openPromo } from '#shared/contract/people/visitor.ts';
import { lose } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

// Shows fact 4.02.
test.each(['/', '/signup'])(
  'at 0:00 the countdown of %s goes and the banner says that the offer has ended',
  async (path) => {
    const instant = new Date(NOW).toISOString();
    const page = await openPage(path, {
      server: (server) => server.gives(openPromo, { credits: 500, now: instant, endsAt: instant }),
    });
    await page.getByText('The offer of 500 bonus credits has ended.').waitFor();
    expect(page.getByRole('timer').count()).toBe(0);
  },
);

// Shows fact 1.18.
test('a visitor’s question is checked beside its fields, kept while nobody answers, and then on its way', async () => {
  const page = await openPage('/');
  const form = page.getByRole('form', { name: 'Contact' });
  const send = form.getByRole('button', { name: 'Send message' });
  await send.click();
  await form.getByText('Please enter your name').waitFor();
  await form.getByText('Please enter a message').waitFor();
  expect(page.server.asked(addTicket)).toEqual([]);
  page.server.next(addTicket, lose);
  page.server.gives(addTicket, { ticketId: '0192d3c0-0000-7000-8000-0000000000f2' });
  await form.getByLabel('Name').fill('Ada');
  await form.getByLabel('Email').fill('ada@example.test');
  await form.getByLabel('Message').fill('مرحبا, when do likes arrive?');
  await send.click();
  await form.getByText('Your message is still here.').waitFor();
  expect(await form.getByLabel('Message').inputValue()).toContain('when do likes arrive?');
  await send.click();
  await form.getByText('We’ll reply to ada@example.test').waitFor();
});

test('the username goes along from the first field to sign-up, by Get Started and by the button of a plan', async () => {
  const page = await openPage('/');
  const field = page.getByLabel('Your Instagram username');
  await field.fill('@ada.paints');
  const card = page.locator('[data-plan="3"]').getByRole('link', { name: /^Create Account/ });
  expect(await card.getAttribute('href')).toBe('/signup?package=3&igUsername=%40ada.paints');
  await page.button('Get Started').click();
  await page.waitForPath('/signup?igUsername=%40ada.paints');
  await page.getByRole('heading', { name: 'Sign up', level: 1 }).waitFor();
  expect(await page.getByLabel('Instagram username').inputValue()).toBe('ada.paints');
});

test('the slider names likes, price, what a like and a post cost, and whom the plan is for', async () => {
  const page = await openPage('/');
  const slider = page.getByLabel('Likes per post', { exact: true });
  const panel = page.locator('#pricing [data-usable]');
  await page.getByText('Our usual pick').first().waitFor();
  expect(panel.locator('dd').texts()).toEqual(['0.32 cents', '$0.80', '7,500']);
  await slider.fill('9');
  expect(await slider.getAttribute('aria-valuetext')).toBe('10,000 likes per post');
  expect(panel.locator('dd').texts()).toEqual(['0.15 cents', '$15.00', '300,000']);
  expect(await panel.text()).toContain('$450.00 a month');
  expect(await panel.text()).toContain('For the largest accounts');
  const start = panel.getByRole('link', { name: 'Start with 10,000 likes' });
  expect(await start.getAttribute('href')).toBe('/signup?package=9');
});

test('the credit packages are a list of six prices', async () => {
  const page = await openPage('/');
  await page.getByRole('heading', { name: 'Credits without a plan' }).waitFor();
  expect(page.locator('#pricing li strong').texts()).toEqual([
    '$10.00',
    '$29.00',
    '$57.00',
    '$93.00',
    '$180.00',
    '$350.00',
  ]);
});
