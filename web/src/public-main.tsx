import { hydrateRoot } from 'react-dom/client';
import { createApi } from './api/client.ts';
import { pageFetch } from './api/page-fetch.ts';
import { paths } from './app/paths.ts';
import { LandingPage } from './features/landing/landing-page.tsx';
import { landingTestimonials } from './features/landing/landing-testimonials.ts';
import './features/legal/legal-page.css';
import { browserPlatform } from './platform/browser.ts';
import { createSessionHints } from './platform/session-hints.ts';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/global.css';

/** Brings the rendered landing page to life; whoever has a session goes to the dashboard (S§2). */
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');
if (createSessionHints(browserPlatform).userId()) {
  location.replace(paths.dashboard);
} else {
  hydrateRoot(
    root,
    <LandingPage
      paths={paths}
      api={createApi({ baseUrl: '', fetch: pageFetch })}
      now={browserPlatform.now}
      newId={browserPlatform.newId}
      deliverySentence={root.querySelector('[data-delivery-promise]')?.textContent ?? ''}
      testimonials={landingTestimonials()}
    />,
  );
}
