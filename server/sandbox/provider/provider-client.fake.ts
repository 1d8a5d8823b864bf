import * as v from 'valibot';
import type { ProviderOrder, ProviderProgress } from '#shared/contract/provider-protocol.ts';
import {
  PlaceOrdersAnswer,
  ProgressAnswer,
  SIGNATURE_HEADER,
} from '#shared/contract/provider-protocol.ts';
import type { Media } from '../media.ts';
import type { OutsideWorld } from '../outside-world.fake.ts';
import type { BookEntry } from './order-book.ts';
import { signRequest } from './signature.ts';

/** A signed client of the member network, in process. */
export function providerClient({ app, ctx }: OutsideWorld) {
  const call = async (method: string, path: string, content?: unknown): Promise<Response> => {
    const body = content === undefined ? '' : JSON.stringify(content);
    const signature = signRequest(ctx.settings.providerSecret, ctx.now(), { method, path, body });
    return await app.request(path, {
      method,
      headers: { [SIGNATURE_HEADER]: signature },
      ...(method === 'GET' ? {} : { body }),
    });
  };
  const read = async (response: Response): Promise<ProviderProgress[]> =>
    v.parse(ProgressAnswer, await response.json()).orders;
  return {
    call,
    async place(...orders: ProviderOrder[]): Promise<string[]> {
      const response = await call('POST', '/provider/v1/orders', { orders });
      const { results } = v.parse(PlaceOrdersAnswer, await response.json());
      return results.map((each) => (each.result === 'accepted' ? 'accepted' : each.reason));
    },
    progress: async (...refs: string[]) =>
      read(await call('GET', `/provider/v1/orders?refs=${refs.join(',')}`)),
    cancel: async (...refs: string[]) =>
      read(await call('POST', '/provider/v1/orders/cancel', { refs })),
    async book(): Promise<BookEntry[]> {
      const response = await app.request('/control/provider/book');
      const { orders } = (await response.json()) as { orders: BookEntry[] };
      return orders;
    },
    setMembers: async (count: number, perHour?: number) =>
      await app.request('/control/members', {
        method: 'POST',
        body: JSON.stringify({ count, perHour }),
      }),
  };
}

/** An order for a post: 100 likes over ten minutes from now on, unless told otherwise. */
export function orderFor(
  world: OutsideWorld,
  media: Media,
  change: Partial<ProviderOrder> = {},
): ProviderOrder {
  return {
    ref: 'order-1',
    igId: media.igId,
    mediaId: media.id,
    shortcode: media.shortcode,
    likes: 100,
    views: 0,
    startAt: new Date(world.clock.nowMs).toISOString(),
    finishBy: new Date(world.clock.nowMs + 600_000).toISOString(),
    ...change,
  };
}
