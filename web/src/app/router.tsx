import {
  createBrowserRouter,
  Outlet,
  redirect,
  type RouteObject,
  useRouteError,
} from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { ErrorPage } from '../components/error-page.tsx';
import type { SessionHints } from '../platform/session-hints.ts';
import { type Guard, notSignedIn, signedIn, subscribed, visitorOnly } from './guards.ts';
import { paths } from './paths.ts';

type AppRouter = ReturnType<typeof createBrowserRouter>;

/** The routes of S§2 with their guards; every screen is a chunk of its own. */
export function createAppRouter(platform: Platform, hints: SessionHints): AppRouter {
  const guarded = (guard: Guard) => () => {
    const elsewhere = guard(hints);
    return elsewhere === undefined ? null : redirect(elsewhere);
  };

  const landing: RouteObject = {
    path: paths.landing,
    loader: guarded(visitorOnly),
    lazy: async () => {
      const { LandingPage } = await import('../features/landing/landing-page.tsx');
      return { element: <LandingPage paths={paths} /> };
    },
  };
  const login: RouteObject = {
    path: paths.login,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { LoginPage } = await import('../features/login/login-page.tsx');
      return { element: <LoginPage /> };
    },
  };
  const signup: RouteObject = {
    path: paths.signup,
    loader: guarded(notSignedIn),
    lazy: async () => {
      const { SignupPage } = await import('../features/signup/signup-page.tsx');
      return { element: <SignupPage /> };
    },
  };
  const subscription: RouteObject = {
    path: paths.subscription,
    loader: guarded(signedIn),
    lazy: async () => {
      const { CheckoutPage } = await import('../features/checkout/checkout-page.tsx');
      return { element: <CheckoutPage /> };
    },
  };
  const dashboard: RouteObject = {
    path: paths.dashboard,
    loader: guarded(subscribed),
    lazy: async () => {
      const { DashboardPage } = await import('../features/dashboard/dashboard-page.tsx');
      return { element: <DashboardPage /> };
    },
  };
  const customerPages: RouteObject = {
    loader: guarded(signedIn),
    lazy: async () => {
      const { CustomerLayout } = await import('./customer-layout.tsx');
      return { element: <CustomerLayout /> };
    },
    children: [subscription, dashboard],
  };
  const appPages: RouteObject = {
    lazy: async () => {
      const { createServices, AppLayout } = await import('./app-layout.tsx');
      const services = createServices(platform, hints);
      return { element: <AppLayout services={services} /> };
    },
    children: [login, signup, customerPages],
  };

  return createBrowserRouter([
    {
      element: <Outlet />,
      errorElement: <RoutingError platform={platform} />,
      // Nothing is shown while the first page's code is on its way (S§2).
      hydrateFallbackElement: <></>,
      children: [landing, appPages, { path: '*', element: <UnknownPath /> }],
    },
  ]);
}

function RoutingError({ platform }: { platform: Platform }) {
  const error = useRouteError();
  platform.report('A page broke', error);
  return (
    <ErrorPage
      sentence="This page could not be shown. Nothing you did before is lost."
      home={paths.landing}
      canReload
    />
  );
}

function UnknownPath() {
  return (
    <ErrorPage
      sentence="There is no page at this address."
      home={paths.landing}
      canReload={false}
    />
  );
}
