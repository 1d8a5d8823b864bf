import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { signedIn, subscribed } from './guards.ts';
import { paths } from './paths.ts';

/** The pages of a signed-in customer, inside the layout that opens the local copy. */
export const customerRoutes = (guarded: GuardRoute): RouteObject => ({
  loader: guarded(signedIn),
  lazy: async () => {
    const { CustomerLayout } = await import('./customer-layout.tsx');
    return { element: <CustomerLayout /> };
  },
  children: [
    {
      path: paths.subscription,
      loader: guarded(signedIn),
      lazy: async () => {
        const { CheckoutPage } = await import('../features/checkout/checkout-page.tsx');
        return { element: <CheckoutPage /> };
      },
    },
    {
      path: paths.dashboard,
      loader: guarded(subscribed),
      lazy: async () => {
        const { DashboardPage } = await import('../features/dashboard/dashboard-page.tsx');
        return { element: <DashboardPage /> };
      },
    },
  ],
});
