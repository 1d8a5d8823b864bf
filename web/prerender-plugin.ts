import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { PRODUCT_NAME } from '../shared/domain/product.ts';
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

const PREVIEW_ALT = 'Likes for every Instagram post, from people who opted in.';
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

/** What search engines and link previews read of a page; the server fills in the origin. */
export function headOf({
  path,
  title,
  description,
}: Pick<RenderedPage, 'path' | 'title' | 'description'>): string[] {
  const origin = '%PUBLIC_URL%';
  const properties = {
    'og:site_name': PRODUCT_NAME,
    'og:type': 'website',
    'og:url': `${origin}${path}`,
    'og:title': title,
    'og:description': description,
    'og:image': `${origin}/link-preview.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': PREVIEW_ALT,
  };
  return [
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${origin}${path}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}" />`,
    ),
  ];
}

function fill(template: string, page: RenderedPage): string {
  const filled = template
    .replace(/<title>[^<]*<\/title>/, `<title>${escapeHtml(page.title)}</title>`)
    .replace('<!--head-->', () => headOf(page).join('\n    '))
    .replace('<!--page-->', () => page.html);
  return page.hasScript ? filled : filled.replaceAll(SCRIPTS, '');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
