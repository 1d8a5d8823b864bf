import { notifications } from '@mantine/notifications';
import { Dexie } from 'dexie';
import { onTestFinished, vi } from 'vitest';
import { about } from '#shared/contract/about.ts';
import { findUser, type User } from '#shared/contract/people/user.ts';
import type { Platform } from '#shared/platform.ts';
import { mountApp } from '#web/mount-app.tsx';
import { browserPlatform } from '#web/platform/browser.ts';
import { EMPTY_CLIENT_STATE, stateWithUser } from '#web/platform/client-state.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { FakeServer } from './fake-server.ts';
import { LeadingTab } from './leading-tab.ts';
import { plantReplica, type Rows } from './replica.ts';
import { Locator, WAIT } from './locator.ts';
import { NOW } from './now.ts';

/** A page of the product without a browser, with the server in the test's hand. */
export class Page extends Locator {
  readonly server = new FakeServer();
  /** The tab that follows the server, of a customer's page. */
  leader: LeadingTab | undefined;
  /** What was logged for developers. */
  readonly reports: string[] = [];

  constructor() {
    super(() => [document.body], 'page');
  }

  get path(): string {
    return location.pathname + location.search;
  }

  /** Until the page stands at the address. */
  async waitForPath(wanted: string): Promise<void> {
    await vi.waitFor(() => {
      if (this.path !== wanted) throw new Error(`The page is at ${this.path}, not at ${wanted}`);
    }, WAIT);
  }

  get toasts(): Locator {
    return this.locator('[data-toast]');
  }

  button(name: string | RegExp): Locator {
    return this.getByRole('button', { name, exact: true });
  }
}

/** A server whose customers enter cards in the product's own form. */
export const ABOUT = {
  product: 'Ovation',
  protocol: 1,
  oldestProtocol: 1,
  cardEntry: { way: 'form' as const },
};

const STATE_KEY = 'ovation-client-state';
/** How to take away the page that is open: a document shows one. */
const closings: Array<() => void | Promise<void>> = [];

async function closePage(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}

export interface PageOptions {
  /** Whose page it is; without one a visitor's. */
  user?: User;
  /** What the tab that follows the server says of the replica. */
  status?: SyncStatus;
  /** What the replica holds beside the customer, their accounts and their credits; without it, nothing at all. */
  replica?: Rows;
  /** What the browser keeps beside that, by key. */
  kept?: Record<string, string>;
  platform?: Partial<Platform>;
  /** Prepares the server before the page asks anything. */
  server?: (server: FakeServer) => void;
}

/** Opens a page of the product at a path. Beside a customer's page another tab leads. */
export async function openPage(path: string, options: PageOptions = {}): Promise<Page> {
  const { user, status = { kind: 'live' } } = options;
  await closePage();
  onTestFinished(closePage);
  const page = new Page();
  const root = document.createElement('div');
  document.body.append(root);
  history.replaceState(null, '', path);
  globalThis.fetch = page.server.fetch;
  for (const [key, text] of Object.entries(options.kept ?? {})) localStorage.setItem(key, text);
  page.server.gives(about, ABOUT);
  if (user) {
    signIn(user);
    page.server.gives(findUser, user);
    if (options.replica) await plantReplica(user, options.replica);
    page.leader = new LeadingTab(user.id, status);
  }
  options.server?.(page.server);
  const platform: Platform = {
    ...browserPlatform,
    now: () => NOW,
    // The run's own (vitest.config.ts), which takes long to ask for.
    timeZone: () => 'UTC',
    report: (event) => void page.reports.push(event),
    ...options.platform,
  };
  const leave = mountApp(root, platform);
  closings.push(async () => {
    leave();
    page.leader?.close();
    root.remove();
    notifications.clean();
    localStorage.clear();
    sessionStorage.clear();
    for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
  });
  return page;
}

/** What a log-in leaves in the browser. */
function signIn(user: User): void {
  localStorage.setItem('id', user.id);
  localStorage.setItem('inSubscription', String(user.inSubscription));
  const state = stateWithUser(EMPTY_CLIENT_STATE, user);
  localStorage.setItem(STATE_KEY, JSON.stringify({ state, version: 1 }));
}
