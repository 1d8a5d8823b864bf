import type { RouteObject } from 'react-router-dom';
import type { GuardRoute } from './guard-route.ts';
import { anybody, signedIn, subscribed } from './guards.ts';
import { OTHER_SUBSCRIPTION, paths } from './paths.ts';

/** The page that a bank leads back to, also in a browser where nobody is signed in, such as the one an app opened. */
export const paymentReturnRoute = (guarded: GuardRoute): RouteObject => ({
  loader: guarded(anybody),
  lazy: async () => {
    const { ReturnLayout } = await import('./customer-layout.tsx');
    return { element: <ReturnLayout /> };
  },
  children: [
    {
      path: paths.paymentReturn,
      lazy: async () => {
        const { PaymentReturnPage } =
          await import('#web/features/billing/bank/payment-return-page.tsx');
        return { element: <PaymentReturnPage /> };
      },
    },
  ],
});

/** The pages of a signed-in customer, inside the layout that opens the replica. */
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
        const { SubscriptionPage } =
          await import('#web/features/billing/checkout/subscription-page.tsx');
        return { element: <SubscriptionPage /> };
      },
    },
    {
      path: OTHER_SUBSCRIPTION,
      loader: guarded(signedIn),
      lazy: async () => {
        const { OtherSubscriptionPage } =
          await import('#web/features/billing/checkout/subscription-page.tsx');
        return { element: <OtherSubscriptionPage /> };
      },
    },
    {
      path: paths.credits,
      loader: guarded(signedIn),
      lazy: async () => {
        const { CreditsPage } = await import('#web/features/billing/checkout/credits-page.tsx');
        return { element: <CreditsPage /> };
      },
    },
    {
      path: paths.dashboard,
      loader: guarded(subscribed),
      lazy: async () => {
        const { DashboardPage } = await import('#web/features/posts/dashboard-page.tsx');
        return { element: <DashboardPage /> };
      },
    },
    {
      path: paths.settings,
      loader: guarded(signedIn),
      lazy: async () => {
        const { SettingsPage } = await import('#web/features/settings/settings-page.tsx');
        return { element: <SettingsPage /> };
      },
    },
    {
      path: paths.billing,
      loader: guarded(signedIn),
      lazy: async () => {
        const { BillingPage } = await import('#web/features/billing/overview/billing-page.tsx');
        return { element: <BillingPage /> };
      },
    },
    {
      path: paths.subscriptions,
      loader: guarded(signedIn),
      lazy: async () => {
        const { SubscriptionsPage } =
          await import('#web/features/accounts/list/subscriptions-page.tsx');
        return { element: <SubscriptionsPage /> };
      },
    },
    {
      path: paths.sample,
      loader: guarded(signedIn),
      lazy: async () => {
        const { SamplePage } = await import('#web/features/accounts/sample/sample-page.tsx');
        return { element: <SamplePage /> };
      },
    },
    {
      path: paths.team,
      loader: guarded(signedIn),
      lazy: async () => {
        const { TeamPage } = await import('#web/features/team/team-page.tsx');
        return { element: <TeamPage /> };
      },
    },
    {
      path: paths.report,
      loader: guarded(signedIn),
      lazy: async () => {
        const { ReportPage } = await import('#web/features/posts/report/report-page.tsx');
        return { element: <ReportPage /> };
      },
    },
    {
      path: paths.alerts,
      loader: guarded(signedIn),
      lazy: async () => {
        const { AlertsPage } = await import('#web/features/alerts/alerts-page.tsx');
        return { element: <AlertsPage /> };
      },
    },
    {
      path: paths.activity,
      loader: guarded(signedIn),
      lazy: async () => {
        const { ActivityPage } = await import('#web/features/team/activity/activity-page.tsx');
        return { element: <ActivityPage /> };
      },
    },
    {
      path: paths.help,
      loader: guarded(signedIn),
      lazy: async () => {
        const { HelpPage } = await import('#web/features/settings/help/help-page.tsx');
        return { element: <HelpPage /> };
      },
    },
  ],
});
