import { defineConfig } from 'electron-vite';
import product from '../../electron.vite.config.ts';

/** The main process as the product builds it, beside its own files, which other tests serve at the same time. */
// oxlint-disable-next-line import/no-default-export -- the build tool reads a configuration so
export default defineConfig({
  main: { ...product.main, build: { ...product.main?.build, outDir: 'out/tried/main' } },
});
