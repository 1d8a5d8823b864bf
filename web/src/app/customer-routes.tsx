import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { signedIn, subscribed } from './guards.ts';
import { OTHER_SUBSCRIPTION, paths } from './paths.ts';

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
        const { SubscriptionPage } = await import('../features/checkout/subscription-page.tsx');
        return { element: <SubscriptionPage /> };
      },
    },
    {
      path: OTHER_SUBSCRIPTION,
      loader: guarded(signedIn),
      lazy: async () => {
        const { OtherSubscriptionPage } =
          await import('../features/checkout/other-subscription-page.tsx');
        return { element: <OtherSubscriptionPage /> };
      },
    },
    {
      path: paths.credits,
      loader: guarded(signedIn),
      lazy: async () => {
        const { CreditsPage } = await import('../features/checkout/credits-page.tsx');
        return { element: <CreditsPage /> };
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
    {
      path: paths.settings,
      loader: guarded(signedIn),
      lazy: async () => {
        const { SettingsPage } = await import('../features/settings/settings-page.tsx');
        return { element: <SettingsPage /> };
      },
    },
    {
      path: paths.billing,
      loader: guarded(signedIn),
      lazy: async () => {
        const { BillingPage } = await import('../features/billing/billing-page.tsx');
        return { element: <BillingPage /> };
      },
    },
    {
      path: paths.subscriptions,
      loader: guarded(signedIn),
      lazy: async () => {
        const { SubscriptionsPage } =
          await import('../features/subscriptions/subscriptions-page.tsx');
        return { element: <SubscriptionsPage /> };
      },
    },
    {
      path: paths.help,
      loader: guarded(signedIn),
      lazy: async () => {
        const { HelpPage } = await import('../features/help/help-page.tsx');
        return { element: <HelpPage /> };
      },
    },
  ],
});
