import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { RendererFile } from './app-handler.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Reads the built renderer. Only files that were there when the app started can be asked for, by
 * exactly their name: a path that leads out of the folder is no name.
 */
export async function openRendererFiles(
  root: string,
): Promise<(path: string) => Promise<RendererFile | undefined>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
  );
  return async (path) => {
    const mediaType = MEDIA_TYPES[extname(path)];
    if (!names.has(path) || mediaType === undefined) return undefined;
    return { body: new Uint8Array(await readFile(join(root, path))), mediaType };
  };
}
