import { APP_HOST, APP_SCHEME, isServerPath } from './app-handler.ts';
import { isLoopback } from './server-choice.ts';

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
 * click, and that the local copy stays when the disk gets full. Notifications go through the shell.
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
export interface GuardedSession {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (isGiven: boolean) => void,
      details: { requestingUrl: string },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (contents: unknown, permission: string, requestingOrigin: string) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setSpellCheckerDictionaryDownloadURL(url: string): void;
  webRequest: {
    onBeforeRequest(
      listener: (request: { url: string }, answer: (response: { cancel: boolean }) => void) => void,
    ): void;
  };
  on(event: 'will-download', listener: (event: { preventDefault(): void }) => void): unknown;
}

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

export interface Outside {
  /** Origin of the configured server. */
  server: () => string | undefined;
  /** Notes what reaches the window from mouse, keys or fingers, by Electron's name of it. */
  noteInput: (type: string) => void;
  /** Opens a page in the person's browser, if it may open there and the person has just done something. */
  open: (url: string) => void;
}

export interface OutsideDeps {
  server: () => string | undefined;
  openInBrowser: (url: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * The one way out to the person's browser. A script that got into the page could send what it reads to
 * any host this way: each click or key opens one page at most, and without one none opens.
 */
export function createOutside({ server, openInBrowser, now }: OutsideDeps): Outside {
  let actedAt: number | undefined;
  const takeGesture = (): boolean => {
    const isFresh = actedAt !== undefined && now() - actedAt < GESTURE_MS;
    actedAt = undefined;
    return isFresh;
  };
  return {
    server,
    noteInput: (type) => {
      if (GESTURES.has(type)) actedAt = now();
    },
    open: (url) => {
      const address = outsideAddress(url, server());
      if (address !== undefined && takeGesture()) openInBrowser(address);
    },
  };
}
