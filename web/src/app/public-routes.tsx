import { type RouteObject, Outlet, useNavigate } from 'react-router-dom';
import { DELIVERY_TARGET } from '#shared/domain/delivery/delivery-promise.ts';
import type { Platform } from '#shared/platform.ts';
import { createApi } from '#web/api/client.ts';
import { pageFetch } from '#web/api/page-fetch.ts';
import type { GuardRoute } from './guard-route.ts';
import { visitorOnly } from './guards.ts';
import { paths } from './paths.ts';
import { useEffect, useRef } from 'react';

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

/** Around the public pages inside the app: their plain links and forms change the page without loading it anew. */
function PublicLayout() {
  const root = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const path = event.defaultPrevented ? undefined : plainPath(event);
      if (path === undefined) return;
      event.preventDefault();
      void navigate(path);
    };
    const send = (event: SubmitEvent): void => {
      const path = event.defaultPrevented ? undefined : pathOfForm(event.target);
      if (path === undefined) return;
      event.preventDefault();
      void navigate(path);
    };
    const element = root.current;
    element?.addEventListener('click', follow);
    element?.addEventListener('submit', send);
    return () => {
      element?.removeEventListener('click', follow);
      element?.removeEventListener('submit', send);
    };
  }, [navigate]);
  return (
    <div ref={root} data-makes-room="whole">
      <Outlet />
    </div>
  );
}

/** Where an ordinary click on a link to another page of ours leads. */
function plainPath(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href') ?? '';
  return href.startsWith('/') && link?.target === '' ? href : undefined;
}

/** Where a form that only leads to another page of ours leads, with what it holds. */
function pathOfForm(form: EventTarget | null): string | undefined {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const path = form.getAttribute('action') ?? '';
  if (!path.startsWith('/') || form.method !== 'get') return undefined;
  const held = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return `${path}?${new URLSearchParams(held)}`;
}
