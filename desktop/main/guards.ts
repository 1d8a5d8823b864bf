import { APP_HOST, APP_SCHEME, isServerPath } from './app-handler.ts';
import { isLoopback } from './loopback.ts';

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
