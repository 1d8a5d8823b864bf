import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { allowedOnly, leanUpdater } from './desktop/packaging/bundle.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The desktop app: main, preload and the web UI as renderer, built into `out/`. Everything but Electron
 * itself is bundled, so that the package carries no `node_modules`.
 */
export default defineConfig({
  main: {
    plugins: [leanUpdater(), allowedOnly('main', at('.'))],
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      minify: true,
      rollupOptions: { input: at('desktop/main/main.ts') },
    },
  },
  preload: {
    plugins: [allowedOnly('preload', at('.'))],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      // A sandboxed preload script may not be an ES module.
      rollupOptions: {
        input: at('desktop/preload/preload.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('desktop/renderer'),
    publicDir: at('web/public'),
    plugins: [react()],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      minify: true,
      cssCodeSplit: false,
      rollupOptions: {
        input: at('desktop/renderer/index.html'),
        // From the disk one large file is there sooner than a hundred small ones.
        output: { codeSplitting: false },
      },
    },
  },
});
