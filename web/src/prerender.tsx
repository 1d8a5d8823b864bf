import { renderToString } from 'react-dom/server';
import { DELIVERY_TARGET } from '#shared/domain/delivery/delivery-promise.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { createApi } from './api/client.ts';
import { pageFetch } from './api/page-fetch.ts';
import { paths } from './app/paths.ts';
import { LANDING_TITLE, LandingPage } from './features/public/landing/landing-page.tsx';
import { landingTestimonials } from './features/public/landing/landing-testimonials.ts';
import { LegalPage } from './features/public/legal/legal-page.tsx';
import { PRIVACY } from './features/public/legal/privacy.ts';
import { TERMS } from './features/public/legal/terms.ts';

/** A public page as the build writes it. */
export interface RenderedPage {
  /** Inside the build's folder. */
  file: string;
  path: string;
  title: string;
  description: string;
  html: string;
  /** Whether it has anything that needs JavaScript. */
  hasScript: boolean;
}

const LANDING_DESCRIPTION =
  'Likes for every new post, from people who opted in, at one monthly price. A receipt for each post. No password needed. Cancel anytime.';

/** Renders the public pages to HTML, at build time (D9). */
export function renderPages(): RenderedPage[] {
  const landing = (
    <LandingPage
      paths={paths}
      api={createApi({ baseUrl: '', fetch: pageFetch })}
      now={() => 0}
      newId={() => ''}
      deliverySentence={DELIVERY_TARGET}
      testimonials={landingTestimonials()}
    />
  );
  return [
    {
      file: 'landing.html',
      path: paths.landing,
      title: `${LANDING_TITLE} · ${PRODUCT_NAME}`,
      description: LANDING_DESCRIPTION,
      html: renderToString(landing),
      hasScript: true,
    },
    ...[
      { file: 'terms-of-service.html', path: paths.terms, text: TERMS },
      { file: 'privacy-policy.html', path: paths.privacy, text: PRIVACY },
    ].map(({ file, path, text }) => ({
      file,
      path,
      title: `${text.title} · ${PRODUCT_NAME}`,
      description: text.summary,
      html: renderToString(<LegalPage paths={paths} text={text} />),
      hasScript: false,
    })),
  ];
}
