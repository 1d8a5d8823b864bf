import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Puts `head.html` into the head of each page, before its links are followed. */
export function sharedHead(): Plugin {
  let file: string;
  return {
    name: 'shared-head',
    configResolved: ({ root }) => {
      file = join(root, 'head.html');
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        const head = await readFile(file, 'utf8');
        return html.replace('<!--shared-head-->', () => head.trim());
      },
    },
  };
}
