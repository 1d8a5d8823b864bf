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
  {
    path: paths.verifyEmail,
    lazy: async () => {
      const { VerifyEmailPage } = await import('../features/recovery/verify-email-page.tsx');
      return { element: <VerifyEmailPage /> };
    },
  },
  {
    path: paths.confirmOtp,
    lazy: async () => {
      const { ConfirmOtpPage } = await import('../features/recovery/confirm-otp-page.tsx');
      return { element: <ConfirmOtpPage /> };
    },
  },
  {
    path: paths.changePassword,
    lazy: async () => {
      const { ChangePasswordPage } = await import('../features/recovery/change-password-page.tsx');
      return { element: <ChangePasswordPage /> };
    },
  },
];
