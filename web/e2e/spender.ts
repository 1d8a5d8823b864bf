import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { newCustomer } from './customer.ts';
import { CARD, type Journeys, subscribedPage } from './subscriber.ts';

/** A customer with credits, and the server's own word on them: calls from outside the page. */
export interface Spender {
  page: Page;
  userId: string;
  /** The balance the server keeps. */
  credits: () => Promise<number>;
  /** Extra likes for the newest post, ordered from another device. */
  order: (likes: number) => Promise<void>;
  /** Buys 2,500 credits. */
  buy: () => Promise<void>;
  /** Gives the calls a session of their own again after a log-out. */
  logIn: () => Promise<void>;
  addAccount: (igUsername: string) => Promise<void>;
  delivery: () => Promise<{ speed: string; automaticLikes: boolean }>;
}

/** Signed in with plan 1 paid and 2,500 credits, at no address yet. */
export async function spenderPage(
  journeys: Journeys,
  igUsername: string,
  options: Parameters<typeof subscribedPage>[2] = {},
): Promise<Spender> {
  const { page, userId } = await subscribedPage(journeys, igUsername, options);
  const call = async (path: string, data: object): Promise<Record<string, unknown>> => {
    // Without a key of its own, the same purchase within 10 s would count as a double click.
    const answer = await page.request.post(journeys.product.url + path, {
      data: { userId, ...data },
      headers: { 'idempotency-key': randomUUID() },
      // The server may close a kept connection just as it is used again.
      maxRetries: 2,
    });
    const body = (await answer.json()) as { status: string; data: Record<string, unknown> };
    if (body.status !== 'success') throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const buy = async (): Promise<void> => {
    await call('/user/creditsTransaction/addRecord', { ...CARD, amount: 10, credits: 2500 });
  };
  const user = (): Promise<Record<string, unknown>> => call('/user/user/findByUserId', {});
  await buy();
  return {
    page,
    userId,
    buy,
    credits: async () => Number((await user())['credits']),
    order: async (likes) => {
      const [post] = await journeys.sandbox.listPosts(igUsername);
      if (!post) throw new Error('There is no post to order likes for');
      const { id: postId, shortcode: shortCode } = post;
      await call('/user/creditLikeOrders/addOrder', { igUsername, postId, shortCode, likes });
    },
    logIn: async () => {
      const { email, password } = newCustomer(igUsername);
      const path = `${journeys.product.url}/user/user/login`;
      const answer = await page.request.post(path, { form: { email, password } });
      if (!answer.ok()) throw new Error(await answer.text());
    },
    addAccount: async (added) => {
      await journeys.sandbox.createAccount({ username: added, posts: 1 });
      await call('/user/connectedAccount/addRecord', { igUsername: added });
    },
    delivery: async () => {
      const igId = (await user())['defaultIgId'];
      const { settings } = await call('/user/deliverySettings/findByIgId', { igId });
      return settings as { speed: string; automaticLikes: boolean };
    },
  };
}
