import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Product, type SingleProduct, type StartFrom, startSingle } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the addresses of the products that the files of a run share. */
    productsUrl: string;
  }
}

/** How cards are entered: in our own form, or in the gateway's fields. */
export type CardEntry = 'form' | 'gateway';

export interface RunsProduct extends Product {
  directory: string;
}

/**
 * One product for all workers, and one more where cards are entered in the gateway's fields: each started when
 * the first file asks, stopped at the end of the run. Workers are ended too hard to do it themselves.
 */
export async function serveProducts(
  from: StartFrom,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const products = new Map<string, Promise<SingleProduct>>();
  const productWith = (cardEntry: string): Promise<SingleProduct> => {
    const product = products.get(cardEntry) ?? startSingle(from, { CARD_ENTRY: cardEntry });
    products.set(cardEntry, product);
    return product;
  };
  const server = createServer((request, response) => {
    productWith((request.url ?? '').slice(1)).then(
      ({ url, sandboxUrl, directory }) =>
        response.end(JSON.stringify({ url, sandboxUrl, directory })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close();
      await Promise.allSettled(
        [...products.values()].map(async (product) => (await product).stop()),
      );
    },
  };
}

export async function findProduct(productsUrl: string, cardEntry: CardEntry): Promise<RunsProduct> {
  const answer = await fetch(`${productsUrl}/${cardEntry}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as RunsProduct;
}
