import { mountApp } from './mount-app.tsx';
import { browserPlatform } from './platform/browser.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
mountApp(root, browserPlatform);
