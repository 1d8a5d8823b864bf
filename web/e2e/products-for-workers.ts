import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Product, type SingleProduct, type StartFrom, startSingle } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the addresses of the product that the files of one worker share. */
    productsUrl: string;
  }
}

/**
 * One product for each worker, whose files run one after the other: started when the first
 * of them asks, stopped at the end of the run. Workers are ended too hard to do it themselves.
 */
export async function serveProducts(
  from: StartFrom,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const products = new Map<string, Promise<SingleProduct>>();
  const productOf = (worker: string): Promise<SingleProduct> => {
    const product = products.get(worker) ?? startSingle(from);
    products.set(worker, product);
    return product;
  };
  const server = createServer((request, response) => {
    productOf(request.url ?? '').then(
      ({ url, sandboxUrl }) => response.end(JSON.stringify({ url, sandboxUrl })),
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

/** The product of this worker. */
export async function workersProduct(productsUrl: string): Promise<Product> {
  const answer = await fetch(`${productsUrl}/${process.env['VITEST_POOL_ID']}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Product;
}
