import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When a process dies at a door: at what it asks, before that gets through, or at the answer, before it is heard. */
export interface DoorStep {
  door: 'database' | 'gateway';
  /** What is asked. */
  asks: RegExp;
  /** On the same connection before. */
  after?: RegExp;
  at: 'asked' | 'answered';
}

/** A way to a server; what is asked on it is looked at. */
interface WatchedDoor {
  port: number;
  close(): Promise<void>;
}

const isHttp = (text: string): boolean => /^(?:GET|POST|DELETE) \S+ HTTP\/1\.1\r\n/.test(text);

/** @param die called once, at the step; from then on nothing gets through any more */
export async function openWatchedDoor(
  target: { host: string; port: number },
  step: Pick<DoorStep, 'asks' | 'after' | 'at'>,
  die: () => void,
): Promise<WatchedDoor> {
  const sockets = new Set<Socket>();
  let isDead = false;
  const end = (): void => {
    isDead = true;
    // First: a process that sees its connections end could still answer.
    die();
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((incoming) => {
    const outgoing = connect(target);
    let isNear = step.after === undefined;
    let isAsked = false;
    const onAsked = (text: string): void => {
      isNear ||= step.after?.test(text) ?? false;
      if (!isNear || !step.asks.test(text)) return;
      if (step.at === 'asked') end();
      else isAsked = true;
    };
    incoming.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!isDead) onAsked(text);
      // A server that is asked by its own name alone.
      const named = text.replace(/^host: \S+/im, `host: ${target.host}:${target.port}`);
      if (!isDead) outgoing.write(isHttp(text) ? Buffer.from(named, 'latin1') : chunk);
    });
    outgoing.on('data', (chunk: Buffer) => {
      if (!isDead && isAsked) end();
      if (!isDead) incoming.write(chunk);
    });
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      isDead = true;
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
