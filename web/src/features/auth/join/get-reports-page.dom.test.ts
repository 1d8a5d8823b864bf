import { expect, test } from 'vitest';
import { confirmReports } from '#shared/contract/people/mail-links.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

const TOKEN = 'A'.repeat(43);

test('nothing is confirmed until somebody presses, and a refusal is told', async () => {
  const page = await openPage(`/get-reports#${TOKEN}`, {});
  await page.getByText(/You get none unless you say yes/).waitFor();
  expect(page.server.asked(confirmReports)).toEqual([]);
  const over = 'Its 48 hours are over.';
  page.server.next(confirmReports, lose, refuse('invitation_over', over));
  await page.button('Get monthly reports').click();
  await page.getByText(/We couldn’t reach the server/).waitFor();
  await page.button('Get monthly reports').click();
  await page.getByText(over).waitFor();
  page.server.next(confirmReports, succeed(confirmReports, null));
  await page.button('Get monthly reports').click();
  await page.getByText(/on the 2nd of each month/).waitFor();
  expect(page.server.asked(confirmReports).map(({ input }) => input)).toEqual(
    Array.from({ length: 3 }, () => ({ token: TOKEN })),
  );
});
