import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
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

/** Notes beside a bundle (`out/main` has `out/main.bundled.json`) whose code is inside of it. */
export function noteBundledPackages(root: string): Plugin {
  return {
    name: 'note-bundled-packages',
    writeBundle: async ({ dir }, bundle) => {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const code = chunks.map((chunk) => chunk.code).join('');
      const noted = bundledFrom(
        chunks.flatMap((chunk) => chunk.moduleIds),
        root,
      );
      await writeFile(
        `${dir}.bundled.json`,
        `${JSON.stringify({ ...noted, codeHash: hashOf(code) } satisfies Bundled, undefined, 2)}\n`,
      );
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
