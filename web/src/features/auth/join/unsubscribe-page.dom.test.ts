import { expect, test } from 'vitest';
import { unsubscribe } from '#shared/contract/people/mail-links.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

const TOKEN = 'A'.repeat(80);

test('nothing is stopped until somebody presses, and a refusal is told', async () => {
  const page = await openPage(`/unsubscribe?token=${TOKEN}`, {});
  await page.getByText(/Do you want to stop getting emails/).waitFor();
  expect(page.server.asked(unsubscribe)).toEqual([]);
  const broken = 'This link is incomplete.';
  const done = succeed(unsubscribe, { stopped: 'client_report' });
  page.server.next(unsubscribe, lose, refuse('not_found', broken), done);
  await page.button('Unsubscribe').click();
  await page.getByText(/We couldn’t reach the server/).waitFor();
  await page.button('Unsubscribe').click();
  await page.getByText(broken).waitFor();
  await page.button('Unsubscribe').click();
  await page.getByText(/You’ll no longer get these monthly reports/).waitFor();
  expect(page.server.asked(unsubscribe).map(({ input }) => input)).toEqual(
    Array.from({ length: 3 }, () => ({ token: TOKEN })),
  );
});
