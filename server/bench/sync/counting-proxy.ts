import { connect, createServer, type Server, type Socket } from 'node:net';

export interface CountingProxy {
  /** Bytes that went to the browser since the start or the last `reset`. */
  bytes(): number;
  reset(): void;
  stop(): void;
}

/** Passes connections on and counts what comes back, whatever protocol it is. */
export async function startCountingProxy(from: number, to: number): Promise<CountingProxy> {
  let bytes = 0;
  const open = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: to, host: '127.0.0.1', noDelay: true });
    far.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(from, '127.0.0.1', resolve));
  return {
    bytes: () => bytes,
    reset: () => {
      bytes = 0;
    },
    stop: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
