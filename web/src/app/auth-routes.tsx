import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { notSignedIn } from './guards.ts';
import { paths } from './paths.ts';

/** The ways in: log-in, sign-up, and the recovery of a password. */
export const authRoutes = (guarded: GuardRoute): RouteObject[] => [
  {
    path: paths.login,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { LoginPage } = await import('#web/features/auth/login/login-page.tsx');
      return { element: <LoginPage /> };
    },
  },
  {
    path: paths.signup,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { SignupPage } = await import('#web/features/auth/signup/signup-page.tsx');
      return { element: <SignupPage /> };
    },
  },
  {
    path: paths.join,
    lazy: async () => {
      const { JoinPage } = await import('#web/features/auth/join/join-page.tsx');
      return { element: <JoinPage /> };
    },
  },
  {
    path: paths.getReports,
    lazy: async () => {
      const { GetReportsPage } = await import('#web/features/auth/join/get-reports-page.tsx');
      return { element: <GetReportsPage /> };
    },
  },
  {
    path: paths.unsubscribe,
    lazy: async () => {
      const { UnsubscribePage } = await import('#web/features/auth/join/unsubscribe-page.tsx');
      return { element: <UnsubscribePage /> };
    },
  },
  {
    path: paths.verifyEmail,
    lazy: async () => {
      const { VerifyEmailPage } = await import('#web/features/auth/recovery/verify-email-page.tsx');
      return { element: <VerifyEmailPage /> };
    },
  },
  {
    path: paths.confirmOtp,
    lazy: async () => {
      const { ConfirmOtpPage } = await import('#web/features/auth/recovery/confirm-otp-page.tsx');
      return { element: <ConfirmOtpPage /> };
    },
  },
  {
    path: paths.changePassword,
    lazy: async () => {
      const { ChangePasswordPage } =
        await import('#web/features/auth/recovery/change-password-page.tsx');
      return { element: <ChangePasswordPage /> };
    },
  },
];
