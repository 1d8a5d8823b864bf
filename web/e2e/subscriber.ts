import type { Browser, Page } from 'playwright-core';
import { newCustomer } from './customer.ts';
import { middayZone } from './midday-zone.ts';
import type { Product } from './product.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A card that pays and a billing address, as the checkouts send them. */
export const CARD = {
  ccName: 'Ada Lovelace',
  ccNum: '4242424242424242',
  ccMonth: '12',
  ccYear: '2030',
  cvv: '123',
  address: '1 Main Street',
  apartment: '',
  zip: '10001',
  city: 'New York',
  state: 'NY',
  country: 'US',
  phone: '5550100100',
};

/** What journeys of customers who are signed in share. */
export interface Journeys {
  browser: Browser;
  product: Product;
  sandbox: SandboxControl;
}

interface PageOptions {
  width?: number;
  height?: number;
  /** How many posts the account has had. */
  posts?: number;
}

/** A page signed in as a new customer without a plan, by calls from outside, at no address yet. */
export async function signedInPage(
  { browser, product, sandbox }: Journeys,
  igUsername: string,
  options: PageOptions = {},
): Promise<{ page: Page; userId: string }> {
  const { width = 1280, height = 900, posts = 2 } = options;
  await sandbox.createAccount({ username: igUsername, posts });
  const context = await browser.newContext({
    timezoneId: middayZone(),
    viewport: { width, height },
  });
  const answer = await context.request.post(`${product.url}/user/user/register`, {
    form: { ...newCustomer(igUsername), package: '1', timeZone: middayZone() },
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  await hint(context, data.id, false);
  return { page: await context.newPage(), userId: data.id };
}

/** The same with plan 1 paid. */
export async function subscribedPage(
  journeys: Journeys,
  igUsername: string,
  options: PageOptions = {},
): Promise<{ page: Page; userId: string }> {
  const { page, userId } = await signedInPage(journeys, igUsername, options);
  const path = '/user/creditsTransaction/addSubscripiton';
  const answer = await page.request.post(journeys.product.url + path, {
    data: { ...CARD, userId, igUsername, packageIndex: 1, timeZone: middayZone() },
  });
  if (!answer.ok()) throw new Error(`The plan could not be paid: ${await answer.text()}`);
  await hint(page.context(), userId, true);
  return { page, userId };
}

/** What a log-in leaves in the browser for choosing the first page (S§3). */
async function hint(
  context: { addInitScript: Page['addInitScript'] },
  userId: string,
  isPaid: boolean,
): Promise<void> {
  await context.addInitScript(
    ([id, inSubscription]) => {
      if (localStorage.getItem('id') && inSubscription === 'false') return;
      localStorage.setItem('id', String(id));
      localStorage.setItem('inSubscription', String(inSubscription));
    },
    [userId, String(isPaid)],
  );
}
