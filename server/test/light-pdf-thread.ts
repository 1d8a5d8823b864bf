interface Drawer {
  draw: (input: unknown) => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Draws a PDF in the thread that asks: a new one reads a hundred modules first. `pdf-thread.test.ts`,
 * `report-pdf.test.ts` and the tests of processes and browsers have the product's own.
 */
export async function drawInThread(drawer: URL, input: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const { draw } = (await import(/* @vite-ignore */ drawer.href)) as Drawer;
  return draw(structuredClone(input));
}
