/** Pages the server fills with facts of the moment; without it, the app draws them itself. */
const SERVER_FIRST = new Set(['/', '/terms-of-service', '/privacy-policy']);
/** What isn't a page of the app though a browser may go there. */
const NOT_PAGES = /^\/(user|proxy|provider|docs)(\/|$)/;
const FILE = /\.[^/]+$/;

/** Where a page comes from when a browser goes to a path. */
export function pageSource(path: string): 'shell' | 'server_first' | 'server' {
  if (SERVER_FIRST.has(path)) return 'server_first';
  return NOT_PAGES.test(path) || FILE.test(path) ? 'server' : 'shell';
}
