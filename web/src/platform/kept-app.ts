import { Workbox } from 'workbox-window';

/**
 * Lets a service worker keep the app's files; resolves to how to look for a newer version. `onReady` is
 * told how to start one that waits, `reload` is called once it has taken over. The first one takes over pages of its
 * own version, in whichever tab it was registered: those stay as they are.
 */
export async function keepApp(
  onReady: (start: () => void) => void,
  reload: () => void,
): Promise<() => Promise<void>> {
  const { serviceWorker } = navigator;
  let mayBeOlder = false;
  serviceWorker.addEventListener('controllerchange', () => {
    if (mayBeOlder) reload();
    mayBeOlder = true;
  });
  const known = await serviceWorker.getRegistration();
  mayBeOlder ||= known?.active?.state === 'activated';
  const workbox = new Workbox('/service-worker.js');
  workbox.addEventListener('waiting', () => onReady(() => void startWaiting()));
  await workbox.register();
  return () => workbox.update();
}

/**
 * Fetches the newer version and activates it in place of the one that is kept, which would answer the next
 * page too. Resolves as well where there is none; rejects when the server can't be reached.
 */
export async function takeNewer(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.active) return;
  await registration.update();
  const { installing } = registration;
  if (installing) await reaches(installing, 'installed');
  const { waiting } = registration;
  if (!waiting) return;
  activate(registration, waiting);
  await reaches(waiting, 'activated');
}

async function startWaiting(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration?.waiting) activate(registration, registration.waiting);
}

/** The one that is kept lets go of the pictures it fetches, for which it could be held for a minute. */
function activate({ active }: ServiceWorkerRegistration, waiting: ServiceWorker): void {
  active?.postMessage({ type: 'LET_GO' }, []);
  waiting.postMessage({ type: 'SKIP_WAITING' }, []);
}

const STATES: readonly ServiceWorkerState[] = [
  'installing',
  'installed',
  'activating',
  'activated',
  'redundant',
];

/** Resolves as well once it is past that state, or given up. */
async function reaches(worker: ServiceWorker, state: ServiceWorkerState): Promise<void> {
  while (STATES.indexOf(worker.state) < STATES.indexOf(state)) {
    await new Promise((resolve) => {
      worker.addEventListener('statechange', resolve, { once: true });
    });
  }
}
