import { mountApp } from './mount-app.tsx';
import { browserPlatform, browserUpdates } from './platform/browser.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
mountApp(root, browserPlatform);

// After the page has what it needs: keeping the app is no hurry.
globalThis.addEventListener('load', () => {
  browserUpdates.register().catch((error: unknown) => {
    browserPlatform.report('The app is not kept for use without network', error);
  });
});
