import type { Session, WebRequest } from 'electron';
import { APP_HOST, APP_SCHEME, isServerPath } from './app-handler.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import type { AppWindow } from './window.ts';

/** The window stays on its own pages, whatever a page or a dropped link asks for; answers of the server are none. */
export function mayNavigate(url: string): boolean {
  return isOwnOrigin(url) && !isServerPath(new URL(url).pathname);
}

/** Even a page that was tricked into it loads nothing from another host, a file or the network. */
export function mayRequest(url: string): boolean {
  return isOwnOrigin(url) || url.startsWith('blob:') || url.startsWith('data:');
}

/** Pages of the app that read without it, so that the server shows them to any browser. */
const PUBLIC_PAGES: ReadonlySet<string> = new Set(['/terms-of-service', '/privacy-policy']);

/**
 * What the person's browser is given for a page that is to open outside; undefined: nothing may. Web
 * addresses are encrypted and without credentials, or on this machine where the server is there too, as
 * in a demo. Of the app's own pages only the public ones have an address outside: that of the server.
 */
export function outsideAddress(url: string, server: string | undefined): string | undefined {
  const target = parse(url);
  if (!target) return undefined;
  if (isOwnOrigin(url)) {
    const isPublic = server !== undefined && PUBLIC_PAGES.has(target.pathname);
    return isPublic ? `${server}${target.pathname}` : undefined;
  }
  const mayBePlain = isPlainLoopback(target) && server !== undefined;
  const isAllowed =
    target.protocol === 'https:' || (mayBePlain && isPlainLoopback(new URL(server)));
  return isAllowed && target.username === '' && target.password === '' ? target.href : undefined;
}

/** A link as somebody else can open it: pages of the app have the server's address outside. */
export function linkOutside(url: string, server: string | undefined): string {
  if (server === undefined || !isOwnOrigin(url)) return url;
  const { pathname, search } = new URL(url);
  return `${server}${pathname}${search}`;
}

/** Whether a page may open in the person's browser. */
export function mayOpenOutside(url: string, server: string | undefined): boolean {
  return outsideAddress(url, server) !== undefined;
}

/**
 * What the UI's own pages need of the browser's permissions: copying a receipt's address, asked for by a
 * click, and that the replica stays when the disk gets full. Notifications go through the shell.
 */
const PERMISSIONS: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'persistent-storage',
]);

/** `asker`: the page or the origin that wants it. */
export function mayUsePermission(permission: string, asker: string): boolean {
  return PERMISSIONS.has(permission) && isOwnOrigin(asker);
}

/** Whether a message really comes from the UI's own top frame. */
export function isTrustedSender(frame: { url: string; isTop: boolean }): boolean {
  return frame.isTop && mayNavigate(frame.url);
}

function isPlainLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && isLoopback(hostname);
}

function isOwnOrigin(url: string): boolean {
  const target = parse(url);
  return target !== undefined && target.protocol === `${APP_SCHEME}:` && target.host === APP_HOST;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** The part of Electron's `Session` that is needed. */
export type GuardedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setSpellCheckerDictionaryDownloadURL'
  | 'on'
> & { webRequest: Pick<WebRequest, 'onBeforeRequest'> };

/**
 * Nothing is downloaded (files are saved where the person says, by the shell), no permission is given
 * but the few the UI needs, and no request leaves the app's own scheme. Those who work on the app have
 * Chromium's tools.
 */
export function closeSession(session: GuardedSession, isDevelopment = false): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(mayUsePermission(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    mayUsePermission(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
  // Windows has no speller for some languages: Chromium would fetch a dictionary from a host nobody chose.
  session.setSpellCheckerDictionaryDownloadURL(`${APP_SCHEME}://${APP_HOST}/no-dictionaries/`);
  session.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !mayRequest(request.url) && !(isDevelopment && isTool(request.url)) }),
  );
  session.on('will-download', (event) => event.preventDefault());
}

const isTool = (url: string): boolean => url.startsWith('devtools://');

/** As long as a browser takes a click for the reason of what a page does. */
const GESTURE_MS = 5000;
const GESTURES: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'gestureTap',
  'touchEnd',
]);

export type Outside = ReturnType<typeof createOutside>;

/**
 * The one way out to the person's browser. A script that got into the page could send what it reads to
 * any host this way: each click or key opens one page at most, and without one none opens.
 */
export function createOutside(
  /** Origin of the configured server. */
  server: () => string | undefined,
  openInBrowser: (url: string) => void,
  /** Milliseconds since the epoch. */
  now: () => number,
) {
  let actedAt: number | undefined;
  const takeGesture = (): boolean => {
    const isFresh = actedAt !== undefined && now() - actedAt < GESTURE_MS;
    actedAt = undefined;
    return isFresh;
  };
  return {
    server,
    /** Counts what reaches the window from mouse, keys or fingers, by Electron's name of it. */
    countInput: (type: string): void => {
      if (GESTURES.has(type)) actedAt = now();
    },
    /** Opens a page in the person's browser, if it may open there and the person has just done something. */
    open: (url: string): void => {
      const address = outsideAddress(url, server());
      if (address !== undefined && takeGesture()) openInBrowser(address);
    },
  };
}

/** What Windows knows the app by: its notices and its place on the task bar need the packages' own name. */
export const APP_ID = 'app.ovation.desktop';

/** What Windows calls when somebody clicks a notice, also one of the run before: any id, for ever the same. */
export const NOTICE_CLASS = '{0f3a6f8e-54d1-4c0e-9a43-6d1f2b7c9e15}';

export const LINK_SCHEME = 'ovation';

/** The screens a link may open; everything else about a link is ignored. */
const SCREENS: ReadonlyMap<string, string> = new Map([
  ['dashboard', '/dashboard'],
  ['settings', '/my-settings'],
  ['billing', '/my-billing'],
  ['subscriptions', '/my-subscriptions'],
]);

/** Whatever page a browser shows may hand one over. */
const LONGEST_LINK = 2000;

/** What the system offers at the app's icon: there already before the app runs. */
export const QUICK_SCREENS = [
  { title: 'Dashboard', link: 'dashboard', path: '/dashboard' },
  { title: 'Billing', link: 'billing', path: '/my-billing' },
] as const;

/** The path a link of ours opens ("ovation://post/123"), or undefined for one that is none. */
export function pathOfLink(link: string): string | undefined {
  if (link.length > LONGEST_LINK || !URL.canParse(link)) return undefined;
  const { protocol, host, pathname } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:`) return undefined;
  // A scheme of one's own has no host in the sense of the web: its letters stay as they were typed.
  const screen = host.toLowerCase();
  if (screen === 'post') {
    const post = /^\/(\d{1,32})\/?$/.exec(pathname)?.[1];
    return post === undefined ? undefined : `/dashboard?${new URLSearchParams({ post })}`;
  }
  return pathname === '' || pathname === '/' ? SCREENS.get(screen) : undefined;
}

/** A second start is given its link among the arguments. */
export function linkAmong(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.toLowerCase().startsWith(`${LINK_SCHEME}://`));
}

/** The part of Electron's `app` that is needed. */
export interface LinkSource {
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(
    event: 'open-url',
    listener: (event: { preventDefault(): void }, link: string) => void,
  ): unknown;
}

type Shown = Pick<AppWindow, 'show' | 'command'>;

/**
 * Listens at once for links and second starts: macOS tells the link that started the app before the
 * app is ready. The answer opens the window, and in it what was asked for last.
 */
export function followLinks(app: LinkSource, ownArgs: readonly string[]): (window: Shown) => void {
  let window: Shown | undefined;
  let asked = linkAmong(ownArgs);
  const follow = (link: string | undefined): void => {
    asked = link ?? asked;
    if (!window) return;
    const path = asked === undefined ? undefined : pathOfLink(asked);
    asked = undefined;
    window.show();
    if (path !== undefined) window.command({ kind: 'open', path });
  };
  app.on('second-instance', (_event, args) => follow(linkAmong(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(link);
  });
  return (opened) => {
    window = opened;
    follow(undefined);
  };
}
