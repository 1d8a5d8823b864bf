import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';
import type { Paths } from '#web/platform/services.ts';

/** The address of another account's checkout, without its two parameters. */
export const OTHER_SUBSCRIPTION = '/other-account-subscription';

/** The routes of S§2, the help page, and the addresses of what opens inside them. */
const routes = {
  landing: '/',
  login: '/login',
  signup: '/signup',
  verifyEmail: '/verify-email',
  confirmOtp: '/confirm-otp',
  changePassword: '/change-password',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
  subscription: '/subscription',
  otherSubscription: (packageValue: number, igUsername: string) =>
    `${OTHER_SUBSCRIPTION}?${new URLSearchParams({
      packageValue: String(packageValue),
      defaultIgUsername: igUsername,
    })}`,
  credits: '/payment/credits',
  dashboard: '/dashboard',
  settings: '/my-settings',
  billing: '/my-billing',
  paymentReturn: PAYMENT_RETURN,
  subscriptions: '/my-subscriptions',
  help: '/help',
  team: '/my-team',
  report: '/my-reports',
  alerts: '/my-alerts',
  activity: '/my-activity',
  sample: '/sample-client',
  join: '/join',
  getReports: '/get-reports',
  unsubscribe: '/unsubscribe',
  receipt: (postId: string) => `/dashboard?${new URLSearchParams({ post: postId })}`,
} as const;

const PAGE_AFTER_LOGIN = 'next';
const CUSTOMER_PAGES: ReadonlySet<string> = new Set([
  routes.subscription,
  OTHER_SUBSCRIPTION,
  routes.credits,
  routes.dashboard,
  routes.settings,
  routes.billing,
  routes.paymentReturn,
  routes.subscriptions,
  routes.help,
  routes.team,
  routes.report,
  routes.alerts,
  routes.activity,
  routes.sample,
  routes.join,
]);

/** The log-in page that leads on to a page; the dashboard is where it leads anyway. */
function loginFor(page: string): string {
  if (page === routes.dashboard) return routes.login;
  return `${routes.login}?${new URLSearchParams({ [PAGE_AFTER_LOGIN]: page })}`;
}

/** The customer's page that a log-in page's address asks for; of nobody else's making. */
function wantedPage(search: string): string | undefined {
  const wanted = new URLSearchParams(search).get(PAGE_AFTER_LOGIN) ?? '';
  const [pathname = ''] = wanted.split(/[?#]/);
  return CUSTOMER_PAGES.has(pathname) ? wanted : undefined;
}

export const paths = { ...routes, loginFor, wantedPage } satisfies Paths;
