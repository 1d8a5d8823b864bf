import { join } from 'node:path';
import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Event as ElectronEvent,
  MenuItemConstructorOptions,
  NavigationHistory,
  WebContents,
  WebPreferences,
} from 'electron';
import { ABOUT_ARGUMENT, type ShellAbout } from '../ipc.ts';
import { APP_ORIGIN } from './app-handler.ts';
import { linkOutside, mayNavigate, mayOpenOutside, type Outside } from './guards.ts';
import { contextMenuTemplate } from './menu.ts';
import type { OpenedWindow } from './window.ts';

/** The window's privileges: those of a page in a browser, and fewer. */
const WEB_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // For messages; single-line fields (names, numbers, addresses) say themselves that they are none.
  spellcheck: hasOwnSpeller(process.platform),
} as const satisfies WebPreferences;

/** Elsewhere the dictionaries would be fetched from a host that nobody chose. */
export function hasOwnSpeller(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/** The part of Electron's `BrowserWindow` that is needed. */
export type ShellWindow = OpenedWindow &
  Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized' | 'loadURL' | 'setIcon'> & {
    webContents: Pick<
      WebContents,
      'setWindowOpenHandler' | 'replaceMisspelling' | 'showDefinitionForSelection'
    > & { navigationHistory: Pick<NavigationHistory, 'goBack' | 'goForward'> };
  };

/** What opening a window needs of the system around it. */
export interface WindowSystem<Window extends ShellWindow = BrowserWindow> {
  create(options: BrowserWindowConstructorOptions): Window;
  workAreas(): Area[];
  isDark(): boolean;
  popUp(menu: MenuItemConstructorOptions[], window: Window): void;
  copyText(text: string): void;
  isMac: boolean;
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
  const window = system.create({
    ...fittingPlace(place, system.workAreas()),
    minWidth: 380,
    minHeight: 480,
    show: false,
    backgroundColor: system.isDark() ? GROUND.dark : GROUND.light,
    webPreferences: {
      ...WEB_PREFERENCES,
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      additionalArguments: [`${ABOUT_ARGUMENT}${JSON.stringify(about)}`],
    },
  });
  guard(window, outside);
  goBackAndForth(window);
  const { webContents } = window;
  webContents.on('input-event', (_event, { type }) => outside.countInput(type));
  webContents.on('context-menu', (_event, clicked) => {
    const menu = contextMenuTemplate(clicked, {
      replace: (word) => webContents.replaceMisspelling(word),
      copyLink: (url) => system.copyText(linkOutside(url, outside.server())),
      lookUp: system.isMac ? () => webContents.showDefinitionForSelection() : undefined,
    });
    if (menu.length > 0) system.popUp(menu, window);
  });
  // Reading and decoding it holds everything up; on macOS the app's icon is the window's.
  if (!system.isMac) {
    window.once('show', () => window.setIcon(join(import.meta.dirname, '../icons/icon.png')));
  }
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

function guard(window: ShellWindow, outside: Outside): void {
  const { webContents } = window;
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url, outside.server())) outside.open(url);
    // A link within the app, clicked as one that is to open elsewhere: there is one window.
    else if (mayNavigate(url)) window.loadURL(url).catch(() => undefined);
    return { action: 'deny' };
  });
  const stay = (event: ElectronEvent<{ url: string }>): void => {
    if (!mayNavigate(event.url)) event.preventDefault();
  };
  webContents.on('will-navigate', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/**
 * The mouse's side buttons on Windows and Linux; on macOS a swipe, which Electron tells only where
 * pages are swiped by two or three fingers.
 */
function goBackAndForth(window: ShellWindow): void {
  const { navigationHistory: pages } = window.webContents;
  window.on('app-command', (_event, command) => {
    if (command === 'browser-backward') pages.goBack();
    if (command === 'browser-forward') pages.goForward();
  });
  window.on('swipe', (_event, direction) => {
    if (direction === 'left') pages.goBack();
    if (direction === 'right') pages.goForward();
  });
}

/** Where a window stood, in device-independent pixels. */
export interface WindowPlace {
  x: number;
  y: number;
  width: number;
  height: number;
  isMaximized: boolean;
}

export type Area = Pick<WindowPlace, 'x' | 'y' | 'width' | 'height'>;

const SMALLEST = { width: 380, height: 480 };
const USUAL = { width: 1280, height: 860 };
/** This much of a window must be on some screen, so that it can be grabbed. */
const VISIBLE = 120;

/** Where to open: where it stood, if a screen is still there; otherwise centred by the system. */
export function fittingPlace(
  kept: WindowPlace | undefined,
  screens: readonly Area[],
): Partial<Area> & { width: number; height: number } {
  if (!kept) return USUAL;
  const fitting = screens
    .map((screen) => ({ screen, place: { ...kept, ...sizeOn(screen, kept) } }))
    .map((one) => ({ ...one, shared: overlap(one.screen, one.place) }))
    .filter(({ shared }) => shared >= VISIBLE)
    .sort((a, b) => b.shared - a.shared)[0];
  if (!fitting) return sizeOn(screens[0] ?? { ...USUAL, x: 0, y: 0 }, kept);
  const { screen, place } = fitting;
  return {
    // It may stand on two screens side by side; its title bar must be in reach.
    x: clamp(place.x, screen.x - place.width + VISIBLE, screen.x + screen.width - VISIBLE),
    y: clamp(place.y, screen.y, Math.max(screen.y, screen.y + screen.height - place.height)),
    width: place.width,
    height: place.height,
  };
}

/** Never larger than the screen, nor too small to use. */
function sizeOn(screen: Area, { width, height }: WindowPlace): { width: number; height: number } {
  return {
    width: clamp(width, SMALLEST.width, Math.max(SMALLEST.width, screen.width)),
    height: clamp(height, SMALLEST.height, Math.max(SMALLEST.height, screen.height)),
  };
}

/** The shorter side of what two areas share. */
function overlap(a: Area, b: Area): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.min(across, down);
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}
