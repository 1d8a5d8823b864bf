import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { SCRIPT_LIST } from '../shared/domain/page-paths.ts';

/** One script of the build, and why a page that takes cards loads it. */
export interface ListedScript {
  path: string;
  /** As in an `integrity` attribute. */
  integrity: string;
  reason: string;
}

const APP = 'The app is one page: what it shows next is loaded with it, or when it is opened';
const REASONS: Readonly<Record<string, string>> = {
  'color-scheme': 'Sets light or dark before anything is drawn',
  'service-worker': 'Keeps the app’s files for when there is no network',
  'sync-worker': 'Keeps the customer’s rows up to date, beside the page',
  index: 'Begins the app, and finds out which page is wanted',
  base: 'React, and the parts that every page is made of',
  customer: 'The frame of the signed-in pages: menu, session, replica',
  checkout: 'The checkouts: plan, amount, card fields or the gateway’s fields',
  billing: 'The billing page: saved card, payments, invoices',
  payment: 'Card fields, billing address, what the customer’s bank asks and the way to it',
  gateway: 'Loads the gateway’s script, which draws the card fields',
  returned: 'The page that the bank leads back to',
  waiting: 'Payments that wait for the customer, on the billing page',
  cards: 'Replaces the saved card, and shows a payment’s receipt',
  forms: 'Fields and their rules, for every form',
  tables: 'Tables of payments and credits',
  receipt: 'A post’s receipt, the chart of an account’s likes, and the bar for chosen posts',
  toasts: 'What a page has once it stands: short messages, keys, undo, news, log-out',
  updates: 'Takes a newer version of the app',
  later: 'Dialogs and tools that are opened from every page',
  engine: 'Keeps the replica up to date where a browser has no workers',
  'rolldown-runtime': 'Lets the other files find each other',
};

const PUBLIC_PAGE = 'Landing and legal pages, which the app can open without loading a page anew';
const OF_PUBLIC_PAGES = new Set(['public', 'landing', 'legal']);

/** "assets/checkout-B2llibHV.js" is "checkout". */
const nameOf = (path: string): string =>
  path.replace(/^.*\//, '').replace(/(?:-[\w-]{8})?\.m?js$/, '');

function reasonOf(path: string): string {
  const name = nameOf(path);
  return REASONS[name] ?? (OF_PUBLIC_PAGES.has(name) ? PUBLIC_PAGE : `${APP} (${name})`);
}

/**
 * After everything else: writes down each script of the build with the hash of its bytes and its reason
 * (docs/card-security.md). The gateway's own script is none of the build's; the configuration names it.
 */
export function scriptList(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'script-list',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: async ({ dir: directory = config.build.outDir }) => {
        const file = join(directory, SCRIPT_LIST);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, `${JSON.stringify(await listScripts(directory), null, 2)}\n`);
      },
    },
  };
}

export async function listScripts(directory: string): Promise<ListedScript[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const path = `/${relative(directory, file).replaceAll(sep, '/')}`;
      return { path, integrity: integrityOf(await readFile(file)), reason: reasonOf(path) };
    }),
  );
}

export const integrityOf = (bytes: Uint8Array | string): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
