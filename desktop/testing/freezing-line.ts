import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A way to a server whose connections can die without either end being told, as in a sleep. */
export interface FreezingLine {
  url: string;
  /** What is open now carries nothing any more; new connections do. */
  freeze: () => void;
  stop: () => Promise<void>;
}

export async function openFreezingLine(url: string): Promise<FreezingLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  const address = await listen(server);
  return {
    url: `http://${address}`,
    freeze: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
