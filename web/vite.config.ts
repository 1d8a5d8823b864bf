import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups, LEAN, leanMantine } from './chunk-groups.ts';
import { prerender } from './prerender-plugin.ts';
import { scriptList } from './script-list-plugin.ts';
import { serviceWorker } from './service-worker-plugin.ts';
import { sharedHead } from './shared-head-plugin.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** An operator's testimonials may be kept outside the sources; the file that ships is empty. */
function testimonialsAlias(): Record<string, string> {
  const file = process.env['TESTIMONIALS_FILE'];
  return file === undefined ? {} : { '#web/features/public/landing/testimonials.json': file };
}

/** The web build: `web/` to `web/dist`, every asset hashed, one chunk per lazily loaded route. */
export default defineConfig({
  root,
  base: '/',
  resolve: { alias: { ...testimonialsAlias(), ...LEAN } },
  plugins: [
    sharedHead(),
    react(),
    leanMantine(),
    prerender(),
    serviceWorker(),
    scriptList(),
    chunkGroups(root),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined fonts and pictures would be `data:` URLs, which the content policy allows only for pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // What brings what along, so that each route can be weighed (`e2e/route-sizes.ts`).
    manifest: true,
    rollupOptions: { input: ['index.html', 'public.html'].map((page) => `${root}${page}`) },
  },
});
