import type { RouteObject } from 'react-router-dom';
import { DELIVERY_TARGET } from '#shared/domain/delivery-promise.ts';
import type { Platform } from '#shared/platform.ts';
import { createApi } from '#web/api/client.ts';
import { pageFetch } from '#web/api/page-fetch.ts';
import type { GuardRoute } from './guard-route.ts';
import { visitorOnly } from './guards.ts';
import { paths } from './paths.ts';
import { PublicLayout } from './public-layout.tsx';

/**
 * The pages that read without the app. A browser that asks the server for one of them gets it
 * rendered already (`public-main.tsx`); these are the same pages on the way from one to another.
 */
export const publicRoutes = (guarded: GuardRoute, platform: Platform): RouteObject => ({
  element: <PublicLayout />,
  children: [
    {
      path: paths.landing,
      loader: guarded(visitorOnly),
      lazy: async () => {
        const { LandingPage } = await import('#web/features/public/landing/landing-page.tsx');
        const { landingTestimonials } =
          await import('#web/features/public/landing/landing-testimonials.ts');
        const api = createApi({ baseUrl: platform.apiOrigin, fetch: pageFetch });
        return {
          element: (
            <LandingPage
              paths={paths}
              api={api}
              now={platform.now}
              newId={platform.newId}
              deliverySentence={DELIVERY_TARGET}
              testimonials={landingTestimonials()}
            />
          ),
        };
      },
    },
    {
      path: paths.terms,
      lazy: async () => {
        const { LegalPage } = await import('#web/features/public/legal/legal-page.tsx');
        const { TERMS } = await import('#web/features/public/legal/terms.ts');
        return { element: <LegalPage paths={paths} text={TERMS} /> };
      },
    },
    {
      path: paths.privacy,
      lazy: async () => {
        const { LegalPage } = await import('#web/features/public/legal/legal-page.tsx');
        const { PRIVACY } = await import('#web/features/public/legal/privacy.ts');
        return { element: <LegalPage paths={paths} text={PRIVACY} /> };
      },
    },
  ],
});
