import { defineConfig } from 'electron-vite';
import product from '../../electron.vite.config.ts';

const { BUILT_PART = 'main', BUILT_OUT = 'out/tried' } = process.env;
const into = <Part extends { build?: object } | undefined>(part: Part, folder: string) => ({
  ...part,
  build: { ...part?.build, outDir: `${BUILT_OUT}${folder}` },
});

/** A part of the app as the product builds it, in a folder that nobody else builds into. */
// oxlint-disable-next-line import/no-default-export -- the build tool reads a configuration so
export default defineConfig(
  BUILT_PART === 'renderer'
    ? { renderer: into(product.renderer, '') }
    : { main: into(product.main, '/main'), preload: into(product.preload, '/preload') },
);
