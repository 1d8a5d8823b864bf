import type { AppWindow } from './app-window.ts';
import type { UpdateOffer } from './offer-updates.ts';
import type { Outside } from './open-outside.ts';
import type { RequestHandlers } from './serve-ipc.ts';
import type { ServerChange } from './server-change.ts';
import type { TrayState } from './tray.ts';
import type { Message } from './update-message.ts';
import type { Updates } from './updates.ts';

/** Whether the system starts the app with it. */
export interface LoginItem {
  read(): boolean;
  set(isOn: boolean): void;
}

/** What the system does for the shell. */
export interface ShellSystem {
  /** Undefined where the system keeps no list of programs to start. */
  loginItem: LoginItem | undefined;
  /** Does nothing where the system has no such number. */
  setBadge(count: number): void;
  /** The chosen path; undefined when the person thought better of it. */
  askWhereToSave(name: string): Promise<string | undefined>;
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  print(): void;
}

export interface ShellRequestDeps {
  window: Pick<AppWindow, 'setListening'>;
  system: ShellSystem;
  outside: Pick<Outside, 'open'>;
  serverChange: Pick<ServerChange, 'choose' | 'keep'>;
  updates: Updates;
  updateOffer: UpdateOffer;
  tray: Pick<TrayState, 'show'>;
  notify: RequestHandlers['notify'];
  forgetPictures(): Promise<void>;
  ask: (message: Message) => Promise<number>;
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
    notify: deps.notify,
    setBadge: (count) => system.setBadge(count),
    saveFile: (file) => save(deps, file),
    forgetPictures: () => deps.forgetPictures(),
    openExternal: (url) => deps.outside.open(url),
    print: () => system.print(),
    readUpdate: () => updates.state(),
    checkForUpdate: () => updates.check(),
    installUpdate: () => updates.install(),
    startNewer: () => deps.updateOffer.startNewer(),
    setTrayState: (state) => deps.tray.show(state),
  };
}

async function save(
  { system, ask }: ShellRequestDeps,
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
