import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** What went into a bundle, as the bundler itself saw it. */
export interface Bundled {
  /** Packages of npm: "valibot". */
  packages: string[];
  /** Folders of this repository: "desktop", "shared". */
  folders: string[];
  /** Of the code that this was written for. */
  codeHash: string;
}

export const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

/** The code of all files of a bundle, in the order of their names. */
export async function readBundle(directory: string): Promise<string> {
  const names = (await readdir(directory, { recursive: true })).filter((name) =>
    /\.c?js$/.test(name),
  );
  const texts = names.toSorted().map((name) => readFile(join(directory, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

/** Notes beside a bundle (`out/main` has `out/main.bundled.json`) what its code was made of. */
export function noteBundledPackages(root: string): Plugin {
  return {
    name: 'note-bundled-packages',
    writeBundle: async ({ dir = '' }, bundle) => {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const modules = chunks.flatMap((chunk) => chunk.moduleIds);
      const codeHash = hashOf(await readBundle(dir));
      const noted: Bundled = { ...bundledFrom(modules, root), codeHash };
      await writeFile(`${dir}.bundled.json`, `${JSON.stringify(noted, undefined, 2)}\n`);
    },
  };
}

/** The packages and folders that modules come from; what the bundler adds itself has no file. */
export function bundledFrom(
  moduleIds: readonly string[],
  root: string,
): Pick<Bundled, 'packages' | 'folders'> {
  const [packages, folders] = [new Set<string>(), new Set<string>()];
  for (const id of moduleIds) {
    if (id.startsWith('\0')) continue;
    const path = relative(root, id).replaceAll('\\', '/');
    // A package within a package counts by its own name.
    const inside = path.split('node_modules/').at(-1) ?? path;
    const [first = '', second = ''] = inside.split('/');
    if (inside === path) folders.add(first);
    else packages.add(first.startsWith('@') ? `${first}/${second}` : first);
  }
  return { packages: [...packages].sort(), folders: [...folders].sort() };
}
