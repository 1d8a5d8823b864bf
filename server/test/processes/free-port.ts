import { createServer, type Server } from 'node:net';

/**
 * Systems hand ports out by themselves from 32,768 on, and soon the same one again: whoever is told of
 * a port has to listen on it before somebody else gets it by chance.
 */
const FIRST = 12_000;
/** Each process of the tests has a block of its own, whose first port it keeps: nobody else takes the block. */
const BLOCK = 60;
const BLOCKS = 300;

const candidates = ownPorts();

/** A port that nothing listens on at the moment, and that nobody else is told of for a while. */
export async function freePort(): Promise<number> {
  for (let tried = 1; tried < BLOCK; tried += 1) {
    const port = (await candidates.next()).value;
    const probe = await listenOn(port);
    if (!probe) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
  throw new Error('Every port of this process is taken.');
}

async function* ownPorts(): AsyncGenerator<number, never> {
  const first = await takeBlock();
  for (let turn = 0; ; turn += 1) yield first + 1 + (turn % (BLOCK - 1));
}

/** @returns the first port of a block, which is held as long as this process lives */
async function takeBlock(): Promise<number> {
  // Two processes at a time may well have the same one by their numbers.
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FIRST + ((process.pid + tried) % BLOCKS) * BLOCK;
    const kept = await listenOn(first);
    kept?.unref();
    if (kept) return first;
  }
  throw new Error('Every block of ports is taken.');
}

/** @returns nothing where somebody listens already */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
