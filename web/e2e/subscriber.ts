import type { Browser, BrowserContext, Page } from 'playwright-core';
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

interface SignedIn {
  page: Page;
  userId: string;
}

/** A page signed in as a new customer without a plan, by calls from outside, at no address yet. */
export const signedInPage = (
  journeys: Journeys,
  igUsername: string,
  options: PageOptions = {},
): Promise<SignedIn> => openSignedIn(journeys, igUsername, options, false);

/** The same with plan 1 paid. */
export const subscribedPage = (
  journeys: Journeys,
  igUsername: string,
  options: PageOptions = {},
): Promise<SignedIn> => openSignedIn(journeys, igUsername, options, true);

async function openSignedIn(
  { browser, product, sandbox }: Journeys,
  igUsername: string,
  { width = 1280, height = 900, posts = 2 }: PageOptions,
  inSubscription: boolean,
): Promise<SignedIn> {
  await sandbox.createAccount({ username: igUsername, posts });
  const context = await browser.newContext({
    timezoneId: middayZone(),
    viewport: { width, height },
  });
  const answer = await context.request.post(`${product.url}/user/user/register`, {
    form: { ...newCustomer(igUsername), package: '1', timeZone: middayZone() },
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  if (inSubscription) await payPlan(context, product, data.id, igUsername);
  return { page: await openMarked(context, product, data.id, inSubscription), userId: data.id };
}

async function payPlan(
  { request }: BrowserContext,
  product: Product,
  userId: string,
  igUsername: string,
): Promise<void> {
  const answer = await request.post(`${product.url}/user/creditsTransaction/addSubscripiton`, {
    data: { ...CARD, userId, igUsername, packageIndex: 1, timeZone: middayZone() },
  });
  if (!answer.ok()) throw new Error(`The plan could not be paid: ${await answer.text()}`);
}

/**
 * A page whose first document of the product finds what a log-in leaves in the browser for choosing the first
 * page (S§3). Later ones find what the app has made of it: nothing, after a log-out.
 */
async function openMarked(
  context: BrowserContext,
  product: Product,
  userId: string,
  inSubscription: boolean,
): Promise<Page> {
  const marking = await context.addInitScript(
    ([id, isPaid]) => {
      localStorage.setItem('id', String(id));
      localStorage.setItem('inSubscription', String(isPaid));
    },
    [userId, String(inSubscription)],
  );
  const page = await context.newPage();
  const onDocument = (): void => {
    if (!page.url().startsWith(product.url)) return;
    page.off('domcontentloaded', onDocument);
    void marking.dispose();
  };
  page.on('domcontentloaded', onDocument);
  return page;
}
