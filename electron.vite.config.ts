import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The desktop app: main, preload and the web UI as renderer, built into `out/`. */
export default defineConfig({
  main: {
    build: { outDir: 'out/main', rollupOptions: { input: at('desktop/main/main.ts') } },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload script may not be an ES module.
      rollupOptions: { input: at('desktop/preload/preload.ts'), output: { format: 'cjs' } },
    },
  },
  renderer: {
    root: at('desktop/renderer'),
    publicDir: at('web/public'),
    plugins: [react()],
    build: {
      outDir: at('out/renderer'),
      assetsInlineLimit: 0,
      rollupOptions: { input: at('desktop/renderer/index.html') },
    },
  },
});
