import './theme/fonts.css';
import './theme/tokens.css';
import './theme/global.css';
import './theme/utilities.css';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { createAppRouter } from './app/router.tsx';
import { dropReturnSecret } from './platform/drop-return-secret.ts';
import { createSessionMarkers } from './platform/session-markers.ts';

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
