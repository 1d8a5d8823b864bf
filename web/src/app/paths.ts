import type { Paths } from '../platform/services.ts';

/** The address of another account's checkout, without its two parameters. */
export const OTHER_SUBSCRIPTION = '/other-account-subscription';

/** The routes of S§2, and the addresses of what opens inside them. */
export const paths = {
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
  subscriptions: '/my-subscriptions',
  receipt: (postId: string) => `/dashboard?${new URLSearchParams({ post: postId })}`,
} as const satisfies Paths;
