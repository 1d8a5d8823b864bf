import { createBrowserRouter, Outlet, type RouteObject, useRouteError } from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { ErrorPage } from '../components/error-page.tsx';
import type { SessionHints } from '../platform/session-hints.ts';
import { customerRoutes } from './customer-routes.tsx';
import { entryRoutes } from './entry-routes.tsx';
import { guardWith } from './guard-route.ts';
import { paths } from './paths.ts';
import { createRecall } from './recall-session.ts';
import { publicRoutes } from './public-routes.tsx';

type AppRouter = ReturnType<typeof createBrowserRouter>;

/** The routes of S§2 with their guards; every screen is a chunk of its own. */
export function createAppRouter(platform: Platform, hints: SessionHints): AppRouter {
  const guarded = guardWith(hints, createRecall(hints, platform.report));
  const appPages: RouteObject = {
    lazy: async () => {
      const { createServices, AppLayout } = await import('./app-layout.tsx');
      const services = createServices(platform, hints);
      return { element: <AppLayout services={services} /> };
    },
    children: [...entryRoutes(guarded), customerRoutes(guarded)],
  };

  return createBrowserRouter([
    {
      element: <Outlet />,
      errorElement: <RoutingError platform={platform} />,
      // Nothing is shown while the first page's code is on its way (S§2).
      hydrateFallbackElement: <></>,
      children: [
        publicRoutes(guarded, platform),
        appPages,
        { path: '*', element: <UnknownPath /> },
      ],
    },
  ]);
}

function RoutingError({ platform }: { platform: Platform }) {
  const error = useRouteError();
  platform.report('A page broke', error);
  return (
    <ErrorPage
      sentence="We couldn’t show this page. Nothing you did before is lost."
      home={paths.landing}
      canReload
    />
  );
}

function UnknownPath() {
  return (
    <ErrorPage sentence="There’s no page at this address." home={paths.landing} canReload={false} />
  );
}
