import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** What the bundle of `src/prerender.tsx` gives; typed here, because it is built and not imported. */
interface RenderedPage {
  file: string;
  path: string;
  title: string;
  description: string;
  html: string;
  hasScript: boolean;
}

const TEMPLATE = 'public.html';
const SCRIPTS = /\s*<(script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g;

/** After the build: renders the public pages, so that they read without JavaScript. */
export function prerender(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'prerender',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: async ({ dir: directory = config.build.outDir }) => {
      const template = await readFile(join(directory, TEMPLATE), 'utf8');
      for (const page of await renderPages(config)) {
        await writeFile(join(directory, page.file), fill(template, page));
      }
      await rm(join(directory, TEMPLATE));
    },
  };
}

async function renderPages(config: ResolvedConfig): Promise<RenderedPage[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'ovation-prerender-'));
  try {
    await build({
      root: config.root,
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      resolve: { alias: config.resolve.alias },
      ssr: { noExternal: true },
      build: { ssr: 'src/prerender.tsx', outDir, emptyOutDir: true, copyPublicDir: false },
    });
    const bundle = (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as {
      renderPages(): RenderedPage[];
    };
    return bundle.renderPages();
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function fill(template: string, page: RenderedPage): string {
  const head = [
    `<meta name="description" content="${escapeHtml(page.description)}" />`,
    `<link rel="canonical" href="%PUBLIC_URL%${page.path}" />`,
    `<meta property="og:title" content="${escapeHtml(page.title)}" />`,
    `<meta property="og:description" content="${escapeHtml(page.description)}" />`,
    '<meta property="og:type" content="website" />',
  ].join('\n    ');
  const filled = template
    .replace(/<title>[^<]*<\/title>/, `<title>${escapeHtml(page.title)}</title>`)
    .replace('<!--head-->', () => head)
    .replace('<!--page-->', () => page.html);
  return page.hasScript ? filled : filled.replaceAll(SCRIPTS, '');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
