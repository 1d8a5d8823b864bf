import { join } from 'node:path';
import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
} from 'electron';
import { ABOUT_ARGUMENT, type ShellAbout } from '../ipc.ts';
import { APP_ORIGIN } from './app-handler.ts';
import type { OpenedWindow } from './app-window.ts';
import { type ClickedInto, contextMenuTemplate } from './context-menu.ts';
import { mayNavigate, mayOpenOutside } from './guards.ts';
import type { Outside } from './open-outside.ts';
import { WEB_PREFERENCES } from './web-preferences.ts';
import { type Area, fittingPlace, type WindowPlace } from './window-place.ts';

interface Going {
  url: string;
  preventDefault(): void;
}

/** The part of Electron's `BrowserWindow` that is needed. */
export interface ShellWindow extends OpenedWindow {
  getNormalBounds(): Area;
  isMaximized(): boolean;
  maximize(): void;
  loadURL(url: string): Promise<void>;
  webContents: OpenedWindow['webContents'] & {
    on(event: 'will-navigate', listener: (event: Going) => void): unknown;
    on(event: 'will-frame-navigate', listener: (event: Going) => void): unknown;
    on(event: 'will-redirect', listener: (event: Going) => void): unknown;
    on(
      event: 'will-attach-webview',
      listener: (event: { preventDefault(): void }) => void,
    ): unknown;
    on(event: 'input-event', listener: (event: unknown, input: { type: string }) => void): unknown;
    on(event: 'context-menu', listener: (event: unknown, clicked: ClickedInto) => void): unknown;
    setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
    replaceMisspelling(word: string): void;
    print(): void;
  };
}

/** What opening a window needs of the system around it. */
export interface WindowSystem<Window extends ShellWindow = BrowserWindow> {
  create(options: BrowserWindowConstructorOptions): Window;
  workAreas(): Area[];
  isDark(): boolean;
  popUp(menu: MenuItemConstructorOptions[], window: Window): void;
}

/** The ground of the UI in both schemes (web/src/theme/tokens.css): nothing flashes before it is drawn. */
const GROUND = { light: '#faf7f2', dark: '#141110' };

/** Opens a window where the last one stood; it can reach nothing but its own origin. */
export function openWindow<Window extends ShellWindow>(
  system: WindowSystem<Window>,
  about: ShellAbout,
  place: WindowPlace | undefined,
  outside: Outside,
): Window {
  const { isMaximized, ...bounds } = fittingPlace(place, system.workAreas());
  const window = system.create({
    ...bounds,
    minWidth: 380,
    minHeight: 480,
    show: false,
    backgroundColor: system.isDark() ? GROUND.dark : GROUND.light,
    icon: join(import.meta.dirname, '../icons/icon.png'),
    webPreferences: {
      ...WEB_PREFERENCES,
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      additionalArguments: [`${ABOUT_ARGUMENT}${JSON.stringify(about)}`],
    },
  });
  // Earlier it would show the window, before there is anything in it.
  if (isMaximized) window.once('ready-to-show', () => window.maximize());
  guard(window, outside);
  window.webContents.on('input-event', (_event, { type }) => outside.noteInput(type));
  window.webContents.on('context-menu', (_event, clicked) => {
    const replace = (word: string): void => window.webContents.replaceMisspelling(word);
    const menu = contextMenuTemplate(clicked, replace);
    if (menu.length > 0) system.popUp(menu, window);
  });
  loadStart(window);
  return window;
}

/** A page that doesn't come is told by `did-fail-load`; a window may also go before its page is there. */
export function loadStart(window: Pick<ShellWindow, 'loadURL'>): void {
  window.loadURL(`${APP_ORIGIN}/`).catch(() => undefined);
}

export function placeOf(window: Pick<ShellWindow, 'getNormalBounds' | 'isMaximized'>): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, isMaximized: window.isMaximized() };
}

function guard({ webContents }: ShellWindow, outside: Outside): void {
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url, outside.server())) outside.open(url);
    return { action: 'deny' };
  });
  const stay = (event: Going): void => {
    if (!mayNavigate(event.url)) event.preventDefault();
  };
  webContents.on('will-navigate', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}
