import { defineConfig } from 'electron-vite';
import product from '../../electron.vite.config.ts';

const outDir = process.env['RENDERER_OUT'] ?? 'out/tried/renderer';

/** The renderer as the product builds it, into a folder of its own. */
// oxlint-disable-next-line import/no-default-export -- the build tool reads a configuration so
export default defineConfig({
  renderer: { ...product.renderer, build: { ...product.renderer?.build, outDir } },
});
