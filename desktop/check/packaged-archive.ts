import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  files?: Record<string, Entry>;
  offset?: string;
  size?: number;
}

/** What is in an archive of Electron's: each file's path, and its text. */
export function readArchive(path: string): Map<string, string> {
  const bytes = readFileSync(path);
  const { files = {} } = JSON.parse(
    bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12)),
  ) as Entry;
  const start = 8 + bytes.readUInt32LE(4);
  const found = new Map<string, string>();
  const walk = (entries: Record<string, Entry>, within: string): void => {
    for (const [name, { files: inside, offset = '0', size = 0 }] of Object.entries(entries)) {
      if (inside) walk(inside, `${within}${name}/`);
      const from = start + Number(offset);
      if (!inside) found.set(`${within}${name}`, bytes.toString('utf8', from, from + size));
    }
  };
  walk(files, '');
  return found;
}

/** A line for each package of a folder, and one for what each app's archive has. */
export function listPackages(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const packages = names.filter((name) =>
    /^[^/\\]+\.(?:AppImage|deb|dmg|zip|exe|yml|sig)$/.test(name),
  );
  const archives = names.filter((name) => /[/\\]app\.asar$/.test(name));
  return [
    ...packages.map(
      (name) => `${name}  ${(statSync(join(folder, name)).size / 1000).toFixed(0)} kB`,
    ),
    ...archives.map((name) => `${name}  ${contents(readArchive(join(folder, name)))}`),
  ];
}

function contents(archive: ReadonlyMap<string, string>): string {
  const folders = new Map<string, number>();
  for (const name of archive.keys()) {
    const [top = '', second] = name.split('/');
    const place = second === undefined ? top : `${top}/${second}`;
    folders.set(place, (folders.get(place) ?? 0) + 1);
  }
  return [...folders]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([place, count]) => {
      if (!place.includes('/')) return place;
      return `${place} ${count} ${count === 1 ? 'file' : 'files'}`;
    })
    .join(', ');
}
