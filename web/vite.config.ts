import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { prerender } from './prerender-plugin.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The web build: `web/` to `web/dist`, every asset hashed, one chunk per lazily loaded route. */
export default defineConfig({
  root,
  base: '/',
  plugins: [react(), prerender()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined fonts and pictures would be `data:` URLs, which the content policy allows only for pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: { input: ['index.html', 'public.html'].map((page) => `${root}${page}`) },
  },
});
