import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';

/** The rooms that load a module, each by plain imports from where it begins. */
type Rooms = ReadonlySet<string>;

/**
 * Pages that share a file, by the modules they begin with; first match wins. What a page fetches once
 * it stands is in the last five.
 */
const ROOMS: ReadonlyArray<[room: string, beginsWith: RegExp]> = [
  ['landing', /^public\.html$|\/landing-(page|testimonials)\.tsx?$/],
  ['legal', /\/(legal-page|terms|privacy)\.tsx?$/],
  ['app', /^index\.html$|\/app-layout\.tsx$/],
  ['customer', /\/(customer-layout|open-session)\.tsx?$/],
  [
    'entry',
    /\/(login|signup|join|get-reports|unsubscribe|verify-email|confirm-otp|change-password)-page\.tsx$/,
  ],
  ['dashboard', /\/dashboard-page\.tsx$/],
  ['receipt', /\/(receipt(-files)?|account-chart|posts\/selection\/selection-bar)\.tsx?$/],
  ['settings', /\/(alerts|help|settings)-page\.tsx$/],
  ['team', /\/(team|report|activity)-page\.tsx$/],
  ['accounts', /\/(subscriptions|sample)-page\.tsx$/],
  ['billing', /\/billing-page\.tsx$/],
  ['cards', /\/(replace-card|payment-receipt|other-documents|budget-section|one-budget)\.tsx$/],
  ['checkout', /\/(subscription|other-subscription|credits)-page\.tsx$/],
  ['returned', /\/payment-return-page\.tsx$/],
  ['waiting', /\/waiting-payments\.tsx$/],
  ['bank', /\/(bank-step|waiting-renewal|waiting-for-you)\.tsx$/],
  ['gateway', /\/gateway\/(gateway|elsewhere)-card\.tsx$/],
  ['toasts', /\/toasts\.tsx$/],
  ['soon', /\/(undo-bar|shortcut-listener|follow-news|sign-out)\.tsx?$/],
  ['updates', /\/kept-app\.ts$/],
  ['engine', /\/(run-engine|http-network|fetch-older-posts)\.ts$/],
  ['later', /(?<!-page\.tsx)$/],
];

/** What may wait for the customer's bank. */
const WITH_BANK = ['bank', 'returned', 'waiting', 'gateway', 'billing', 'cards'];

const isOneOf = (by: Rooms, rooms: readonly string[]): boolean =>
  rooms.some((room) => by.has(room));
const isWithin = (by: Rooms, rooms: readonly string[]): boolean =>
  [...by].every((room) => rooms.includes(room));

/**
 * The file of a module, first match wins. What a module imports is loaded by more rooms than itself: it
 * has to match no later than the module, so that no two files need each other.
 */
const FILES: ReadonlyArray<[file: string, takes: (by: Rooms) => boolean]> = [
  ['base', (by) => by.has('landing') && !isWithin(by, ['landing', 'legal'])],
  ['landing', (by) => by.has('landing')],
  ['app', (by) => by.has('app') || (by.has('toasts') && by.size > 1)],
  ['app', (by) => by.has('entry') && !isWithin(by, ['entry', 'settings', 'team', 'checkout'])],
  ['forms', (by) => by.has('entry') && by.size > 1],
  ['customer', (by) => by.has('customer')],
  ['customer', (by) => by.has('soon') && !isWithin(by, ['soon', 'later'])],
  ['customer', (by) => by.has('settings') && isOneOf(by, ['dashboard', 'accounts', 'later'])],
  [
    'customer',
    (by) => by.has('checkout') && isOneOf(by, ['dashboard', 'settings', 'accounts', 'billing']),
  ],
  ['customer', (by) => by.has('bank') && by.has('later')],
  ['billing', (by) => by.has('billing') && isWithin(by, ['billing', 'cards', 'waiting'])],
  ['payment', (by) => by.has('bank') && isWithin(by, WITH_BANK)],
  ['cards', (by) => isWithin(by, ['cards', 'waiting'])],
  ['payment', (by) => by.has('checkout') && by.size > 1],
  ['toasts', (by) => by.has('soon')],
  ['dashboard', (by) => by.has('dashboard') && isWithin(by, ['dashboard', 'receipt'])],
  // Little, and the rest of the tables is nothing that pages of the team show.
  ['customer', (by) => by.size > 1 && by.has('team')],
  ['tables', (by) => by.size > 1],
  ...ROOMS.map(([room]): [string, (by: Rooms) => boolean] => [room, (by) => by.has(room)]),
];

const OWN_SHEET = new Set([
  'base',
  'landing',
  'entry',
  'settings',
  'accounts',
  'checkout',
  'later',
]);

function fileOf(id: string, all: Rooms): string | undefined {
  // Seldom loaded by a page: what it shares goes where the others have it.
  const others = new Set([...all].filter((room) => room !== 'engine'));
  const by = others.size > 0 ? others : all;
  const file = FILES.find(([, takes]) => takes(by))?.[0];
  // One sheet for all that pages share, and for the dashboard: a sheet a file would be fifteen.
  return id.endsWith('.css') && !OWN_SHEET.has(file ?? '') ? 'app' : file;
}

/**
 * Few files on the wire: modules are grouped by the rooms that load them. Only a build knows that,
 * after what nobody uses has been left out, so that a first one is made in memory.
 */
export function chunkGroups(root: string): Plugin {
  return {
    name: 'chunk-groups',
    apply: 'build',
    config: async ({ resolve = {}, build: { rolldownOptions = {} } = {} }) => {
      const chunks = await firstBuild({ root, resolve, build: { rolldownOptions } });
      const rooms = readRooms(chunks, root);
      const name = (id: string): string | null => {
        const by = rooms.get(id);
        return (by && fileOf(id, by)) ?? null;
      };
      const codeSplitting = { groups: [{ name }], includeDependenciesRecursively: false };
      return { build: { rolldownOptions: { output: { codeSplitting } } } };
    },
  };
}

async function firstBuild(config: UserConfig): Promise<Rolldown.OutputChunk[]> {
  const chunks: Rolldown.OutputChunk[] = [];
  const read: Plugin = {
    name: 'read-chunks',
    // Before files that hold nothing but styles are taken out.
    generateBundle: {
      order: 'pre',
      handler: (_, bundle) => {
        chunks.push(...Object.values(bundle).filter((file) => file.type === 'chunk'));
      },
    },
  };
  await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    plugins: [react(), leanMantine(), read],
    build: {
      ...config.build,
      rolldownOptions: {
        ...config.build?.rolldownOptions,
        // Else a lone entry takes in what its pages share, and every page seems to load the entry.
        experimental: { chunkOptimization: false },
      },
      write: false,
      minify: false,
    },
  });
  return chunks;
}

/** The rooms of each module; the public page's entry itself has none. */
function readRooms(
  chunks: readonly Rolldown.OutputChunk[],
  root: string,
): Map<string, Set<string>> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const rooms = new Map<string, Set<string>>();
  for (const { fileName, facadeModuleId } of chunks) {
    if (facadeModuleId === null) continue;
    const room = roomOf(facadeModuleId.replace(root, ''));
    for (const loaded of closure(fileName, (name) => byName.get(name)?.imports ?? [])) {
      for (const id of byName.get(loaded)?.moduleIds ?? []) {
        if (PUBLIC_ENTRY.test(id)) continue;
        rooms.set(id, (rooms.get(id) ?? new Set()).add(room));
      }
    }
  }
  return rooms;
}

/** Runs when it is loaded: no other page may load the file it is in. */
const PUBLIC_ENTRY = /\/public(-main\.tsx|\.html)$/;

export function roomOf(beginsWith: string): string {
  const room = ROOMS.find(([, pattern]) => pattern.test(beginsWith))?.[0];
  if (room === undefined) throw new Error(`${beginsWith} has no room in chunk-groups.ts.`);
  return room;
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

/** The class that keeps what is fixed at an edge in its place while a dialog holds the page still. */
export const FULL_WIDTH = 'width-before-scroll-bar';

/**
 * What Mantine imports and nobody has asked for: a dialog its own scroll bars, 6 kB, to see whether they
 * are the ones wanted; the toasts all that holds a page still, 4 kB, for the name of one class.
 */
export const leanMantine = (): Plugin => ({
  name: 'lean-mantine',
  transform: {
    filter: { id: /\/(ModalRoot|DrawerRoot|Notifications)\.mjs$/ },
    handler: (code, id) => {
      const lean = code
        .replace('scrollAreaComponent === ScrollArea.Autosize || void 0', 'void 0')
        .replaceAll('RemoveScroll.classNames.fullWidth', `'${FULL_WIDTH}'`);
      if (lean === code) throw new Error(`${id} has nothing to take out.`);
      return { code: lean, map: null };
    },
  },
});

const library = (path: string): string =>
  fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** The same libraries without what only old browsers or developers need: 3 kB of each page, compressed. */
export const LEAN = {
  dexie: library('dexie/dist/modern/dexie.mjs'),
  'react-router/dom': library('react-router/dist/production/dom-export.mjs'),
  'react-router': library('react-router/dist/production/index.mjs'),
};
