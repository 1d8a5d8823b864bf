import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Product, SingleProduct } from './product.ts';

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

/** A start computes as much as most of a minute at rest. */
const REST_MS = 60_000;

interface Running {
  product: Promise<SingleProduct>;
  /** So many files use it. */
  users: number;
  rest?: NodeJS.Timeout;
}

/**
 * One product for all workers, and one more where cards are entered in the gateway's fields: each started when
 * a file asks, stopped when none has used it for a while, as in the rest of a run, whose other tests open no
 * page, and at the end of the run. Workers are ended too hard to do it themselves.
 */
export async function serveProducts(
  start: (cardEntry: string) => Promise<SingleProduct>,
  restMs: number = REST_MS,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const products = new Map<string, Running>();
  const stopped: Array<Promise<unknown>> = [];
  const stop = (cardEntry: string, { product, rest }: Running): void => {
    clearTimeout(rest);
    products.delete(cardEntry);
    // That it didn't start, the file that asked was told.
    stopped.push(Promise.allSettled([product.then((one) => one.stop())]));
  };
  const use = (cardEntry: string): Promise<SingleProduct> => {
    const known = products.get(cardEntry) ?? { product: start(cardEntry), users: 0 };
    products.set(cardEntry, known);
    clearTimeout(known.rest);
    known.users += 1;
    return known.product;
  };
  const leave = (cardEntry: string): void => {
    const known = products.get(cardEntry);
    if (!known) return;
    known.users -= 1;
    if (known.users === 0) known.rest = setTimeout(() => stop(cardEntry, known), restMs);
  };
  const server = createServer((request, response) => {
    const cardEntry = (request.url ?? '').slice(1);
    if (request.method === 'DELETE') {
      leave(cardEntry);
      response.end();
      return;
    }
    use(cardEntry).then(
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
      for (const [cardEntry, known] of products) stop(cardEntry, known);
      await Promise.allSettled(stopped);
    },
  };
}

export async function findProduct(productsUrl: string, cardEntry: CardEntry): Promise<RunsProduct> {
  const answer = await fetch(`${productsUrl}/${cardEntry}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as RunsProduct;
}

/** Once for each time that it was found. */
export async function leaveProduct(productsUrl: string, cardEntry: CardEntry): Promise<void> {
  await fetch(`${productsUrl}/${cardEntry}`, { method: 'DELETE' });
}
