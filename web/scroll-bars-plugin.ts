import type { Plugin } from 'vite';

/** A dialog’s library imports its own scroll bars, 6 kB, to see whether they were asked for: never here. */
export const withoutScrollBars = (): Plugin => ({
  name: 'without-scroll-bars',
  transform: {
    filter: { id: /\/(Modal|Drawer)Root\.mjs$/ },
    handler: (code, id) => {
      const lean = code.replace('scrollAreaComponent === ScrollArea.Autosize || void 0', 'void 0');
      if (lean === code) throw new Error(`${id} has no question to take out.`);
      return { code: lean, map: null };
    },
  },
});
