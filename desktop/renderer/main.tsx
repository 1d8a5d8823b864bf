/// <reference types="vite/client" />
import { type SubmitEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { mountApp } from '#web/mount-app.tsx';
import { Mark } from '#web/ui/brand/mark.tsx';
import type { ServerChoice, Shell } from '../ipc.ts';
import styles from './shell.module.css';
import { electronPlatform } from './electron-platform.ts';
import { mountOverlays } from './overlays.tsx';

declare global {
  var ovationShell: Shell;
}

/** First start: which server the app belongs to. It is asked once and remembered. */
function ConnectPage({ shell }: { shell: Shell }) {
  const [address, setAddress] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string>();

  const connect = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsAsking(true);
    setProblem(undefined);
    try {
      const choice = await shell.request('chooseServer', address);
      // Once a server is chosen the main process opens the app itself.
      if (choice.kind !== 'chosen') setProblem(sentenceOf(choice));
    } catch {
      setProblem(
        `The server couldn’t be saved on this computer. Free up some space, or let ${PRODUCT_NAME} write its folder, then connect again.`,
      );
    }
    setIsAsking(false);
  };

  return (
    <main className={styles['page']}>
      <form className={styles['form']} onSubmit={(event) => void connect(event)} noValidate>
        <Mark size={44} />
        <h1>Connect {PRODUCT_NAME}</h1>
        <p>
          Which server is your account on? It’s the address you see in the browser when you use{' '}
          {PRODUCT_NAME} there.
        </p>
        <label htmlFor="server">Server address</label>
        <input
          id="server"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          placeholder="ovation.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="problem"
        />
        <p id="problem" className={styles['problem']} role="alert">
          {problem}
        </p>
        <button type="submit" disabled={isAsking}>
          {isAsking ? 'Connecting…' : 'Connect'}
        </button>
        {shell.presentServer !== undefined && (
          <button
            type="button"
            disabled={isAsking}
            onClick={() => void shell.request('keepServer')}
          >
            Stay with {shell.presentServer}
          </button>
        )}
      </form>
    </main>
  );
}

function sentenceOf(choice: Exclude<ServerChoice, { kind: 'chosen' }>): string {
  switch (choice.kind) {
    case 'bad_address':
      return 'Please enter an address such as ovation.example.com.';
    case 'insecure':
      return 'This address isn’t encrypted. Please use one that starts with https, except on this computer.';
    case 'unreachable':
      return 'Nothing answered at this address. Check the address and your connection.';
    case 'proxy_login':
      return choice.canBeGiven
        ? 'Your network’s proxy asks for a login. Enter it, then connect again.'
        : 'Your network’s proxy wants a kind of login this app doesn’t support. Ask its administrator for one with a name and password.';
    case 'bad_certificate':
      return CERTIFICATE_SENTENCES[choice.reason];
    case 'not_ovation':
      return `The server at this address isn’t ${PRODUCT_NAME}.`;
    case 'other_protocol':
      return choice.isServerNewer
        ? 'This server is newer than the app. Please update the app.'
        : 'This server is older than the app. Ask its operator to update it.';
  }
}

const CERTIFICATE_SENTENCES = {
  expired: 'This server’s certificate has expired, or this computer’s clock is wrong.',
  other_name: 'This server’s certificate is for a different address. Check the address.',
  unknown_issuer:
    'This computer doesn’t trust this server’s certificate. Ask its operator for one signed by a known authority.',
} as const;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

if (ovationShell.hasServer) mountApp(root, electronPlatform(ovationShell));
else createRoot(root).render(<ConnectPage shell={ovationShell} />);
mountOverlays(ovationShell, ovationShell.hasServer ? root : undefined);
