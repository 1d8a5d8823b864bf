import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut: connections break in the middle, and none is made until it is mended. */
export interface BreakableProxy {
  port: number;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openProxy(target: { host: string; port: number }): Promise<BreakableProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(target);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
