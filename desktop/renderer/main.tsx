/// <reference types="vite/client" />
import { mountApp } from '#web/mount-app.tsx';
import type { Shell } from '../ipc.ts';
import { electronPlatform } from './electron-platform.ts';
import { mountFindBar } from './find-bar.tsx';
import { mountProxyLogin } from './proxy-login.tsx';

declare global {
  var ovationShell: Shell;
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

if (ovationShell.hasServer) {
  mountApp(root, electronPlatform(ovationShell));
  mountFindBar(root, ovationShell);
} else {
  const { mountConnectPage } = await import('./connect-page.tsx');
  mountConnectPage(root, ovationShell);
}
mountProxyLogin(ovationShell);
