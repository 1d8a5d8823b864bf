import { createBrowserRouter, Outlet, type RouteObject, useRouteError } from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { ErrorPage } from '#web/ui/page/bare-page.tsx';
import type { SessionMarkers } from '#web/platform/session-markers.ts';
import { customerRoutes, paymentReturnRoute } from './customer-routes.tsx';
import { authRoutes } from './auth-routes.tsx';
import { createSessionRestore, guardWith } from './guard-route.ts';
import { paths } from './paths.ts';
import { publicRoutes } from './public-routes.tsx';

type AppRouter = ReturnType<typeof createBrowserRouter>;

/** The routes of S§2 with their guards; every screen is a chunk of its own. */
export function createAppRouter(platform: Platform, markers: SessionMarkers): AppRouter {
  const guarded = guardWith(markers, createSessionRestore(markers, platform.report));
  const appPages: RouteObject = {
    lazy: async () => {
      const { createServices, AppLayout } = await import('./app-layout.tsx');
      const services = createServices(platform, markers);
      return { element: <AppLayout services={services} /> };
    },
    children: [...authRoutes(guarded), customerRoutes(guarded), paymentReturnRoute(guarded)],
  };

  return createBrowserRouter([
    {
      element: <Outlet />,
      errorElement: <RoutingError platform={platform} markers={markers} />,
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

/** Says what broke; without network that is most likely a page whose code has never been fetched. */
function RoutingError({ platform, markers }: { platform: Platform; markers: SessionMarkers }) {
  const error = useRouteError();
  platform.report('A page broke', error);
  const isOnline = platform.isOnline();
  return (
    <ErrorPage
      what={
        isOnline
          ? 'We couldn’t show this page.'
          : 'You’re offline, and this page isn’t on this device yet.'
      }
      home={paths.landing}
      canReload
    >
      Nothing you did before is lost.{' '}
      {isOnline ? (
        <>
          If reloading doesn’t help,{' '}
          <a href={markers.userId() ? paths.help : `${paths.landing}#contact`}>write to us</a>.
        </>
      ) : (
        'Connect, then reload the page.'
      )}
    </ErrorPage>
  );
}

function UnknownPath() {
  return (
    <ErrorPage what="There’s no page at this address." home={paths.landing} canReload={false}>
      It may have a typo, or the page may have moved.
    </ErrorPage>
  );
}
