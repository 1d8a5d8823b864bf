/** Pages that the build renders and the server fills with facts of the moment, with their files. */
export const RENDERED_PAGES: Readonly<Record<string, string>> = {
  '/': '/landing.html',
  '/terms-of-service': '/terms-of-service.html',
  '/privacy-policy': '/privacy-policy.html',
};

/** Where banks and the gateway's page lead back to; they add a secret of the payment to its address. */
export const PAYMENT_RETURN = '/payment-return';

/** What isn't a page of the app, though a browser may go there. */
export const NOT_PAGES = /^\/(user|proxy|provider|stripe|docs)(\/|$)/;

/** Pages where something is paid or a card is entered: their headers and scripts are watched (docs/card-security.md). */
export const PAYING_PAGES = [
  '/subscription',
  '/other-account-subscription',
  '/payment/credits',
  PAYMENT_RETURN,
  '/my-billing',
  '/my-subscriptions',
  '/dashboard',
] as const;

/** The build's list of its scripts, in its folder. */
export const SCRIPT_LIST = '.vite/scripts.json';

const FILE = /\.[^/]+$/;

/** Where a page comes from when a browser goes to a path; `server_first`: without it the app draws it. */
export function pageSource(path: string): 'shell' | 'server_first' | 'server' {
  if (Object.hasOwn(RENDERED_PAGES, path)) return 'server_first';
  return NOT_PAGES.test(path) || FILE.test(path) ? 'server' : 'shell';
}
