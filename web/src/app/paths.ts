import type { Paths } from '../platform/services.ts';

/** The routes of S§2 that exist so far. */
export const paths = {
  landing: '/',
  login: '/login',
  signup: '/signup',
  subscription: '/subscription',
  dashboard: '/dashboard',
  receipt: (postId: string) => `/dashboard?${new URLSearchParams({ post: postId })}`,
} as const satisfies Paths;
