import { parentPort, workerData } from 'node:worker_threads';

interface Drawer {
  draw(input: unknown): Promise<Uint8Array<ArrayBuffer>>;
}

const { drawer, input } = workerData as { drawer: string; input: unknown };
const module = (await import(drawer)) as Drawer;
const pdf = await module.draw(input);
parentPort?.postMessage(pdf, [pdf.buffer]);
