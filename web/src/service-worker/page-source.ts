import { NOT_PAGES, RENDERED_PAGES } from '#shared/domain/page-paths.ts';

const FILE = /\.[^/]+$/;

/** Where a page comes from when a browser goes to a path; `server_first`: without it the app draws it. */
export function pageSource(path: string): 'shell' | 'server_first' | 'server' {
  if (Object.hasOwn(RENDERED_PAGES, path)) return 'server_first';
  return NOT_PAGES.test(path) || FILE.test(path) ? 'server' : 'shell';
}
