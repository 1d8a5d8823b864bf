import type { Notification } from 'electron';
import * as v from 'valibot';
import { type SystemNotice, SYNC_STATES } from '#shared/platform.ts';
import { REQUEST_NAMES, requestChannel, type RequestName, type Requests } from '../ipc.ts';
import type { Outside } from './guards.ts';
import type { TrayState } from './menu.ts';
import type { ProxyLogins } from './proxy-login.ts';
import type { ServerChange } from './server.ts';
import type { Ask, UpdateOffer, Updates } from './updates.ts';
import type { Choice, Problems } from './settings.ts';
import type { AppWindow } from './window.ts';

/** What the system does for the shell. */
export interface ShellSystem {
  /** Whether the system starts the app with it; undefined where it keeps no list of programs to start. */
  loginItem: Choice | undefined;
  /** Does nothing where the system has no such number. */
  setBadge(count: number): void;
  /** The chosen path; undefined when the person thought better of it. */
  askWhereToSave(name: string): Promise<string | undefined>;
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  print(): Promise<'printed' | 'canceled' | 'failed'>;
  /** The page as it would be printed; undefined without one. */
  toPdf(): Promise<Uint8Array> | undefined;
}

export interface ShellRequestDeps {
  window: Pick<AppWindow, 'setListening'>;
  system: ShellSystem;
  outside: Pick<Outside, 'open'>;
  serverChange: Pick<ServerChange, 'choose' | 'keep'>;
  updates: Updates;
  updateOffer: Pick<UpdateOffer, 'check' | 'startNewer'>;
  tray: Pick<TrayState, 'show' | 'setNews'>;
  problems: Pick<Problems, 'list' | 'revealLogs'>;
  proxyLogins: Pick<ProxyLogins, 'question' | 'answer'>;
  /** Whether the app goes on when its window is closed. */
  keepRunning: Choice;
  notify: RequestHandlers['notify'];
  forgetPictures(): Promise<void>;
  ask: Ask;
}

/** What the shell does for the window, request by request. */
export function shellRequests(deps: ShellRequestDeps): RequestHandlers {
  const { system, updates } = deps;
  return {
    setListening: deps.window.setListening,
    chooseServer: (address) => deps.serverChange.choose(address),
    keepServer: () => deps.serverChange.keep(),
    readStartAtLogin: () => system.loginItem?.read() ?? false,
    setStartAtLogin: (isOn) => {
      system.loginItem?.set(isOn);
      return system.loginItem?.read() ?? false;
    },
    readKeepRunning: () => deps.keepRunning.read(),
    setKeepRunning: (isOn) => {
      deps.keepRunning.set(isOn);
      return deps.keepRunning.read();
    },
    notify: deps.notify,
    setBadge: (count) => {
      system.setBadge(count);
      deps.tray.setNews(count > 0);
    },
    saveFile: (file) => save(deps, file),
    forgetPictures: () => deps.forgetPictures(),
    openExternal: (url) => deps.outside.open(url),
    print: () => print(deps),
    readUpdate: () => updates.state(),
    checkForUpdate: () => updates.check(),
    installUpdate: () => updates.install(),
    startNewer: () => deps.updateOffer.startNewer(),
    setTrayState: (state) => deps.tray.show(state),
    readProblems: () => deps.problems.list(),
    revealLogs: () => deps.problems.revealLogs(),
    readProxyQuestion: () => deps.proxyLogins.question(),
    answerProxy: (given) => deps.proxyLogins.answer(given),
  };
}

type Saving = Pick<ShellRequestDeps, 'system' | 'ask'>;

/** Prints the page; who has no printer is told so. */
export async function print({ system, ask }: Saving): Promise<void> {
  if ((await system.print()) !== 'failed') return;
  await ask({
    message: 'Nothing was printed',
    detail:
      'We couldn’t reach a printer. Please check this computer’s printers, or save a PDF instead.',
    buttons: ['OK'],
  });
}

/** Saves the page as a PDF where the person says; one that can't be made is said. */
export async function savePdf(deps: Saving): Promise<void> {
  let content;
  try {
    content = await deps.system.toPdf();
  } catch {
    await deps.ask({
      message: 'The PDF couldn’t be made',
      detail: 'Nothing was saved. Please try again, or print the page instead.',
      buttons: ['OK'],
    });
    return;
  }
  if (content) await save(deps, { name: 'ovation.pdf', content: new Uint8Array(content) });
}

async function save(
  { system, ask }: Saving,
  { name, content }: Parameters<RequestHandlers['saveFile']>[0],
): Promise<'saved' | 'canceled' | 'failed'> {
  const path = await system.askWhereToSave(plainName(name));
  if (path === undefined) return 'canceled';
  try {
    await system.writeFile(path, content);
    return 'saved';
  } catch {
    await ask({
      message: 'The file couldn’t be saved',
      detail: `${path} couldn’t be saved. Please choose another folder, or free up some space.`,
      buttons: ['OK'],
    });
    return 'failed';
  }
}

/** A suggestion only; no folder of the window's choosing, and no hidden file. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

const path = v.pipe(v.string(), v.regex(/^\/(?!\/)/), v.maxLength(500));
const line = v.pipe(v.string(), v.maxLength(300));
/** As much as a SOCKS proxy takes. */
const shortLine = v.pipe(v.string(), v.maxBytes(255));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The arguments of each request, as the main process accepts them; it trusts the window with nothing. */
const REQUEST_SCHEMAS = {
  setListening: v.strictTuple([v.boolean()]),
  chooseServer: v.strictTuple([line]),
  keepServer: v.strictTuple([]),
  readStartAtLogin: v.strictTuple([]),
  setStartAtLogin: v.strictTuple([v.boolean()]),
  readKeepRunning: v.strictTuple([]),
  setKeepRunning: v.strictTuple([v.boolean()]),
  notify: v.strictTuple([v.object({ title: line, body: line, path })]),
  setBadge: v.strictTuple([count]),
  saveFile: v.strictTuple([
    v.object({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(120)),
      content: v.union([v.string(), v.custom<Uint8Array<ArrayBuffer>>(isBytes)]),
    }),
  ]),
  forgetPictures: v.strictTuple([]),
  openExternal: v.strictTuple([v.pipe(v.string(), v.maxLength(2000))]),
  print: v.strictTuple([]),
  readUpdate: v.strictTuple([]),
  checkForUpdate: v.strictTuple([]),
  installUpdate: v.strictTuple([]),
  startNewer: v.strictTuple([]),
  setTrayState: v.strictTuple([v.object({ sync: v.picklist(SYNC_STATES), pending: count })]),
  readProblems: v.strictTuple([]),
  revealLogs: v.strictTuple([]),
  readProxyQuestion: v.strictTuple([]),
  answerProxy: v.strictTuple([
    v.nullable(v.object({ user: shortLine, password: shortLine, isKept: v.boolean() })),
  ]),
} as const satisfies {
  [Name in RequestName]: v.GenericSchema<Parameters<Requests[Name]>>;
};

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}

/** What the shell does for each request of the table. */
export type RequestHandlers = {
  [Name in RequestName]: (
    ...args: Parameters<Requests[Name]>
  ) => ReturnType<Requests[Name]> | Promise<ReturnType<Requests[Name]>>;
};

/** The part of Electron's `ipcMain` that is needed. */
export interface IpcServer<Event> {
  handle(channel: string, listener: (event: Event, ...args: unknown[]) => unknown): void;
}

/**
 * Serves every request of the table: only to the UI's own top frame, and only with arguments that fit
 * the schema.
 */
export function serveIpc<Event>(
  ipc: IpcServer<Event>,
  isTrusted: (event: Event) => boolean,
  handlers: RequestHandlers,
): void {
  for (const name of REQUEST_NAMES) {
    // The schema of the same name has parsed the arguments; the compiler can't follow the index.
    const handler = handlers[name] as (...args: unknown[]) => unknown;
    ipc.handle(requestChannel(name), (event, ...args) => {
      if (!isTrusted(event)) throw new Error('Only the window of the app may ask this.');
      const parsed = v.safeParse(REQUEST_SCHEMAS[name], args);
      if (!parsed.success) {
        throw new Error(`"${name}" was asked with something else than it takes.`);
      }
      return handler(...parsed.output);
    });
  }
}

/** The part of Electron's `Notification` that is needed. */
export type ShownNotice = Pick<Notification, 'show' | 'on'>;

/** Of more at once the oldest are let go: some systems never say that a notice was closed. */
const HELD = 50;

/**
 * Shows notices of the system; a click opens what one is about. Each is held until it is clicked or
 * closed: one that nothing refers to is collected, and its click with it. `onFailed` is told once that the
 * system shows none: macOS shows those of signed apps only.
 */
export function createNotices(
  create: (notice: Pick<SystemNotice, 'title' | 'body'>) => ShownNotice | undefined,
  open: (path: string) => void,
  onFailed: (reason: string) => void,
): { show: (notice: SystemNotice) => void; held: () => number } {
  const held = new Set<ShownNotice>();
  let hasFailed = false;
  return {
    show: ({ title, body, path }) => {
      const notice = create({ title, body });
      if (!notice) return;
      const letGo = (): void => void held.delete(notice);
      held.add(notice);
      const [oldest] = held;
      if (held.size > HELD && oldest) held.delete(oldest);
      notice.on('click', () => {
        letGo();
        open(path);
      });
      notice.on('close', letGo);
      notice.on('failed', (_event, reason) => {
        letGo();
        if (!hasFailed) onFailed(reason);
        hasFailed = true;
      });
      notice.show();
    },
    held: () => held.size,
  };
}
