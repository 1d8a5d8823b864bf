import { expect, test } from 'vitest';
import { addTicket, openPromo } from '#shared/contract/visitor.ts';
import { lose } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

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
