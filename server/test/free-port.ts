import { createServer } from 'node:net';

/**
 * Systems hand ports out by themselves from 32,768 on, and soon the same one again: whoever is told of
 * a port has to listen on it before somebody else gets it by chance.
 */
const FIRST = 12_000;
/** Each process of the tests has a block of its own. */
const BLOCK = 60;
const BLOCKS = 300;

const candidates = ownPorts();

/** A port that nothing listens on at the moment, and that nobody else is told of for a while. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < BLOCK; tried += 1) {
    const port = candidates.next().value;
    if (await isFree(port)) return port;
  }
  throw new Error('Every port of this process is taken.');
}

function* ownPorts(): Generator<number, never> {
  const first = FIRST + (process.pid % BLOCKS) * BLOCK;
  for (let turn = 0; ; turn += 1) yield first + (turn % BLOCK);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
