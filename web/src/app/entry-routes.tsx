import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { notSignedIn } from './guards.ts';
import { paths } from './paths.ts';

/** The ways in: log-in, sign-up, and the recovery of a password. */
export const entryRoutes = (guarded: GuardRoute): RouteObject[] => [
  {
    path: paths.login,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { LoginPage } = await import('../features/login/login-page.tsx');
      return { element: <LoginPage /> };
    },
  },
  {
    path: paths.signup,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { SignupPage } = await import('../features/signup/signup-page.tsx');
      return { element: <SignupPage /> };
    },
  },
];
