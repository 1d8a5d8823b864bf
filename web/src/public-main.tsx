import './theme/fonts.css';
import './theme/tokens.css';
import './theme/global.css';
import './theme/utilities.css';
import { hydrateRoot } from 'react-dom/client';
import { createApi } from './api/client.ts';
import { pageFetch } from './api/page-fetch.ts';
import { paths } from './app/paths.ts';
import { LandingPage } from './features/public/landing/landing-page.tsx';
import { landingTestimonials } from './features/public/landing/landing-testimonials.ts';
import './features/public/legal/legal-page.css';
import { browserPlatform } from './platform/browser.ts';
import { createSessionMarkers } from './platform/session-markers.ts';

/** Brings the rendered landing page to life; whoever has a session goes to the dashboard (S§2). */
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');
if (createSessionMarkers(browserPlatform).userId()) {
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
