import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { OutsideWorld } from './outside-world.fake.ts';

/** Serves a world's app on a real socket, for clients that bring their own transport. */
export async function listen({
  app,
}: OutsideWorld): Promise<{ port: number; stop(): Promise<void> }> {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
