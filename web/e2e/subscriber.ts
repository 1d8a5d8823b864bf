import type {
  APIRequestContext,
  APIResponse,
  Browser,
  BrowserContext,
  Page,
} from 'playwright-core';
import { type Customer, newCustomer } from './customer.ts';
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
  /** Less of it unless a test is about what moves: each motion has a frame drawn 60 times a second. */
  reducedMotion?: 'reduce' | 'no-preference';
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
  journeys: Journeys,
  igUsername: string,
  options: PageOptions,
  inSubscription: boolean,
): Promise<SignedIn> {
  const { product, sandbox } = journeys;
  await sandbox.createAccount({ username: igUsername, posts: options.posts ?? 2 });
  const context = await openContext(journeys, options);
  const userId = await register(context, product, newCustomer(igUsername));
  if (inSubscription) {
    const answer = await buyPlan(context.request, product, { userId, igUsername });
    if (!answer.ok()) throw new Error(`The plan could not be paid: ${await answer.text()}`);
  }
  return { page: await openMarked(context, product, userId, inSubscription), userId };
}

/** Whoever registers the account of a network that is there already. */
export async function registeredPage(journeys: Journeys, customer: Customer): Promise<Page> {
  const context = await openContext(journeys, {});
  const userId = await register(context, journeys.product, customer);
  return openMarked(context, journeys.product, userId, false);
}

/** A known customer in another browser, without a plan unless told. */
export async function loggedInPage(
  { browser, product }: { browser: Browser; product: Pick<Product, 'url'> },
  { email, password }: Pick<Customer, 'email' | 'password'>,
  { inSubscription = false, ...size }: PageOptions & { inSubscription?: boolean } = {},
): Promise<Page> {
  const context = await openContext({ browser }, size);
  const answer = await context.request.post(`${product.url}/user/user/login`, {
    form: { email, password },
  });
  return openMarked(context, product, await readId(answer), inSubscription);
}

const openContext = (
  { browser }: Pick<Journeys, 'browser'>,
  { width = 1280, height = 900, reducedMotion = 'reduce' }: PageOptions,
): Promise<BrowserContext> =>
  browser.newContext({ timezoneId: middayZone(), viewport: { width, height }, reducedMotion });

async function register(
  { request }: BrowserContext,
  product: Product,
  customer: Customer,
): Promise<string> {
  const form = { ...customer, package: '1', timeZone: middayZone() };
  return readId(await request.post(`${product.url}/user/user/register`, { form }));
}

const readId = async (answer: APIResponse): Promise<string> =>
  ((await answer.json()) as { data: { id: string } }).data.id;

/** Sends a checkout with plan 1, as a page of our own form does. */
export const buyPlan = (
  request: APIRequestContext,
  product: Product,
  {
    userId,
    igUsername,
    ccNum = CARD.ccNum,
  }: { userId: string; igUsername: string; ccNum?: string },
): Promise<APIResponse> =>
  request.post(`${product.url}/user/creditsTransaction/addSubscripiton`, {
    data: { ...CARD, ccNum, userId, igUsername, packageIndex: 1, timeZone: middayZone() },
  });

/**
 * A page whose first document of the product finds what a log-in leaves in the browser for choosing the first
 * page (S§3). Later ones find what the app has made of it: nothing, after a log-out.
 */
export async function openMarked(
  context: BrowserContext,
  product: Pick<Product, 'url'>,
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
