import './theme/fonts.css';
import './theme/tokens.css';
import './theme/global.css';
import './theme/utilities.css';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { createAppRouter } from './app/router.tsx';
import { createSessionMarkers } from './platform/session-markers.ts';
import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';

/** Starts the UI inside an element, on any shell; returns how to take it away. */
export function mountApp(root: HTMLElement, platform: Platform): () => void {
  dropReturnSecret();
  const router = createAppRouter(platform, createSessionMarkers(platform));
  const app = createRoot(root);
  app.render(<RouterProvider router={router} />);
  return () => {
    app.unmount();
    router.dispose();
  };
}

/**
 * Takes the payment's secret, which banks add to the address that they lead back to, out of it, before a router, a
 * log-in or a script of the gateway's reads it.
 */
function dropReturnSecret(): void {
  if (location.pathname !== PAYMENT_RETURN) return;
  const [ours = '?'] = /^\?payment=[^&]*/.exec(location.search) ?? [];
  history.replaceState(null, '', ours);
}
