import { login } from '../../../shared/contract/people/user.ts';
import { press } from '../fake-desktop.ts';
import { control, type OpenedWindow } from '../fake-electron.ts';
import type { FakeServer } from '../fake-server.ts';
import type { UpdateServer } from '../fake-update-server.ts';
import { record, type World } from '../fake-world.ts';

/** What a person, a page and the system do with one run of the app, and what must come of it. */
export interface Scenario {
  world?: Partial<World>;
  /** The scenario that is played before, with the same folder. */
  after?: string;
  /** What stands in the box that ends the app; usually there is none. */
  fails?: RegExp;
  /** Throws where the app did something else. */
  play: (run: Run) => Promise<void> | void;
}

export interface Run {
  /** The first one; none where the app ends without. */
  window: OpenedWindow;
  /** The person's folder. */
  data: string;
  updates: UpdateServer;
  /** What the app did before Electron was ready. */
  beforeReady: readonly string[];
}

/** What a window's page was given of the shell. */
export const aboutOf = (window: OpenedWindow): string =>
  String(window.options.webPreferences?.additionalArguments);

/** Chooses a server; the answer is the window that stands in place of the one that asked. */
export async function choose({ address }: FakeServer): Promise<OpenedWindow> {
  const next = control.nextWindow();
  const { kind } = (await control.ask('chooseServer', address)) as { kind: string };
  if (kind !== 'chosen') throw new Error(`The server was not chosen: ${kind}`);
  return next;
}

/** Through the menu, to another server; the answer is what the window that asks for it was given. */
export async function change(server: FakeServer): Promise<string> {
  const asking = control.nextWindow();
  press(record.menu, 'Change server…');
  const about = aboutOf(await asking);
  await choose(server);
  return about;
}

export const callServer = (path: string = login.path): Promise<Response> =>
  control.fetch(`app://ovation${path}`, { method: 'POST', body: '{}' });

/** What a page was told about one thing, by a name that it has. */
export const toldOf = ({ sent }: OpenedWindow, name: string): Record<string, unknown>[] =>
  sent.map((told) => Object(told) as Record<string, unknown>).filter((told) => name in told);

/** Waits for what comes with a later turn. */
export async function settled(isThere: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isThere()); turns += 1) {
    if (turns > 2000) throw new Error(`It never came: ${String(isThere)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
