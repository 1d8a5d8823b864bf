import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './free-port.ts';

test('ports that are asked for one after another differ, and no system hands them out by itself', async () => {
  const ports: number[] = [];
  for (let nth = 0; nth < 50; nth += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a port that somebody listens on is left out', async () => {
  const taken = createServer();
  onTestFinished(async () => {
    taken.close();
    await once(taken, 'close');
  });
  const port = await freePort();
  taken.listen(port, '127.0.0.1');
  await once(taken, 'listening');
  const ports: number[] = [];
  // More than there are: each comes again.
  for (let nth = 0; nth < 150; nth += 1) ports.push(await freePort());
  expect(ports.length).toBeGreaterThan(new Set(ports).size);
  expect(ports).not.toContain(port);
});

test('two whose numbers lead to the same ports are told of different ones', async () => {
  const ports: number[] = [];
  for (let nth = 0; nth < 59; nth += 1) ports.push(await freePort());
  // A copy of the module: what another process has whose number is ours but for a multiple of the blocks.
  const copy = './free-port.ts?copy';
  const other = (await import(/* @vite-ignore */ copy)) as { freePort: typeof freePort };
  for (let nth = 0; nth < 59; nth += 1) expect(ports).not.toContain(await other.freePort());
});
