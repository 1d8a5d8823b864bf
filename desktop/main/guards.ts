import { APP_HOST, APP_SCHEME, isServerPath } from './app-handler.ts';

/** The window stays on its own pages, whatever a page or a dropped link asks for; answers of the server are none. */
export function mayNavigate(url: string): boolean {
  return isOwnOrigin(url) && !isServerPath(new URL(url).pathname);
}

/** Even a page that was tricked into it loads nothing from another host, a file or the network. */
export function mayRequest(url: string): boolean {
  return isOwnOrigin(url) || url.startsWith('blob:') || url.startsWith('data:');
}

/** Pages outside the product open in the person's browser: web addresses only, without credentials. */
export function mayOpenOutside(url: string): boolean {
  const target = parse(url);
  if (!target) return false;
  return target.protocol === 'https:' && target.username === '' && target.password === '';
}

/** The UI needs none of the browser's permissions; notifications go through the shell. */
export function mayUsePermission(permission: string): boolean {
  // Copying a receipt's address, asked for by a click.
  return permission === 'clipboard-sanitized-write';
}

/** Whether a message really comes from the UI's own top frame. */
export function isTrustedSender(frame: { url: string; isTop: boolean }): boolean {
  return frame.isTop && mayNavigate(frame.url);
}

function isOwnOrigin(url: string): boolean {
  const target = parse(url);
  return target !== undefined && target.protocol === `${APP_SCHEME}:` && target.host === APP_HOST;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
