import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { visitorOnly } from './guards.ts';
import { paths } from './paths.ts';

/** The pages that read without the app: they carry none of its libraries. */
export const publicRoutes = (guarded: GuardRoute): RouteObject[] => [
  {
    path: paths.landing,
    loader: guarded(visitorOnly),
    lazy: async () => {
      const { LandingPage } = await import('../features/landing/landing-page.tsx');
      return { element: <LandingPage paths={paths} /> };
    },
  },
];
