import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';

/**
 * Who loads a module: the entries and lazily loaded modules from which it is reached by plain imports,
 * as paths below `web/`.
 */
type Loaders = ReadonlySet<string>;

const isAny = (loaders: Loaders, wanted: RegExp): boolean =>
  [...loaders].some((loader) => wanted.test(loader));
const areAll = (loaders: Loaders, wanted: RegExp): boolean =>
  [...loaders].every((loader) => wanted.test(loader));

/** A module that a page of HTML starts with keeps its own file. */
const MAIN = /web\/src\/(public-)?main\.tsx$/;
const LANDING = /^public\.html$/;
const VISITORS = /^public\.html$|(landing|legal|help|signup)-page\.tsx$/;
const APP = /^index\.html$|app-layout/;
const CUSTOMER = /customer-layout/;
const ENTRY = /features\/(login|signup|recovery)\//;
const READING = /(dashboard|help|settings|subscriptions)-page\.tsx$/;
const BILLING = /billing-page\.tsx$/;
const CHECKOUT = /(subscription|credits)-page\.tsx$/;

/** What is loaded together is one file, the widest shared first; a page has one for itself. */
const GROUPS: ReadonlyArray<[name: string, takes: (loaders: Loaders) => boolean]> = [
  ['base', (by) => isAny(by, LANDING) && !areAll(by, VISITORS)],
  ['visitors', (by) => areAll(by, VISITORS)],
  ['app', (by) => isAny(by, APP) || (isAny(by, ENTRY) && isAny(by, CUSTOMER))],
  ['customer', (by) => isAny(by, CUSTOMER) || (isAny(by, READING) && isAny(by, CHECKOUT))],
  ['forms', (by) => isAny(by, ENTRY) && !areAll(by, ENTRY)],
  ['entry', (by) => isAny(by, ENTRY)],
  ['tables', (by) => isAny(by, READING) && isAny(by, BILLING)],
  ['reading', (by) => isAny(by, READING)],
  ['payment', (by) => isAny(by, BILLING) && isAny(by, CHECKOUT)],
  ['billing', (by) => isAny(by, BILLING)],
  ['checkout', (by) => isAny(by, CHECKOUT)],
  ['dialogs', () => true],
];

/**
 * Few files on the wire: modules that several load are grouped by who loads them. Only a build knows
 * that, after what nobody uses has been left out, so that a first one is made in memory.
 */
export function chunkGroups(root: string): Plugin {
  return {
    name: 'chunk-groups',
    apply: 'build',
    config: async ({ resolve = {}, build: { rolldownOptions = {} } = {} }) => {
      const loaders = await readLoaders({ root, resolve, build: { rolldownOptions } }, root);
      const groups = GROUPS.map(([name, takes], index) => ({
        priority: GROUPS.length - index,
        name: (id: string): string | null => {
          const by = loaders.get(id);
          return by && by.size > 1 && takes(by) ? name : null;
        },
      }));
      return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } };
    },
  };
}

async function readLoaders(config: UserConfig, root: string): Promise<Map<string, Set<string>>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    build: { ...config.build, write: false, minify: false },
  });
  const files: Rolldown.RolldownOutput['output'][number][] = 'output' in built ? built.output : [];
  const chunks = files.filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaders = new Map<string, Set<string>>();
  for (const { fileName, facadeModuleId } of chunks) {
    if (facadeModuleId === null) continue;
    const loader = facadeModuleId.replace(root, '');
    for (const loaded of closure(fileName, (name) => byName.get(name)?.imports ?? [])) {
      for (const id of byName.get(loaded)?.moduleIds ?? []) {
        loaders.set(id, (loaders.get(id) ?? new Set()).add(loader));
      }
    }
  }
  const ownFiles = new Set(chunks.map(({ facadeModuleId }) => facadeModuleId));
  for (const id of loaders.keys()) if (ownFiles.has(id) || MAIN.test(id)) loaders.delete(id);
  return loaders;
}

function closure(first: string, next: (name: string) => readonly string[]): Set<string> {
  const all = new Set<string>();
  const follow = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    next(name).forEach(follow);
  };
  follow(first);
  return all;
}
