import { createPublicKey, verify } from 'node:crypto';
import type { AuthInfo } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { UpdateState } from '#shared/platform.ts';
import { isLoopback } from '#shared/domain/loopback.ts';

/** The part of electron-updater that is needed. */
export interface Updater {
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: UpdateInfo;
    downloadPromise?: Promise<unknown> | null;
  } | null>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
  on(event: 'update-downloaded', listener: (info: UpdateInfo) => void): unknown;
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Electron's network is asked for a log-in; it waits until it is answered. */
  on(
    event: 'login',
    listener: (asked: AuthInfo, answer: (user?: string, password?: string) => void) => void,
  ): unknown;
}

interface UpdateInfo {
  version: string;
  releaseNotes?: unknown;
}

interface UpdateDeps {
  /** Fetches the updater from the bundle when it is first needed; undefined where none is configured. */
  load(): Promise<Updater | undefined>;
  onChange(state: UpdateState): void;
  /** Nothing could be asked or fetched. */
  onCheckFailed(error: unknown): void;
  /** The app goes on as it was; the update stays ready. */
  onInstallFailed(error: unknown): void;
}

export type Updates = ReturnType<typeof createUpdates>;

/** Updates come from one configured address, and only when the person lets them in. */
export function createUpdates(deps: UpdateDeps) {
  let state: UpdateState = { kind: 'none' };
  let isInstalling = false;
  let loaded: Promise<Updater | undefined> | undefined;
  let present: Updater | undefined;
  const set = (next: UpdateState): UpdateState => {
    state = next;
    deps.onChange(next);
    return next;
  };
  const fail = (error: unknown): UpdateState => {
    deps.onCheckFailed(error);
    // What was downloaded stays good, whatever goes wrong afterwards.
    return state.kind === 'ready' ? state : set({ kind: 'failed' });
  };
  const notInstalled = (error: unknown): void => {
    isInstalling = false;
    deps.onInstallFailed(error);
  };
  const load = async (): Promise<Updater | undefined> => {
    present = await deps.load();
    present?.on('update-downloaded', (info) => {
      set({ kind: 'ready', version: info.version, notes: notesOf(info) });
    });
    present?.on('download-progress', ({ percent: exact }) => {
      const percent = Math.floor(exact);
      if (state.kind === 'downloading' && state.percent !== percent) set({ ...state, percent });
    });
    present?.on('error', (error) => {
      if (isInstalling) notInstalled(error);
      else fail(error);
    });
    return present;
  };

  return {
    state: (): UpdateState => state,
    /** Asks the configured address; what is found is downloaded at once. */
    check: async (): Promise<UpdateState> => {
      try {
        const updater = await (loaded ??= load());
        if (!updater) return set({ kind: 'not_configured' });
        if (state.kind === 'ready' || state.kind === 'downloading') return state;
        const found = await updater.checkForUpdates();
        if (!found?.isUpdateAvailable) return set({ kind: 'none' });
        // A small one may be there before the answer is.
        if (isReady(state)) return state;
        found.downloadPromise?.catch(fail);
        return set({ kind: 'downloading', version: found.updateInfo.version, percent: 0 });
      } catch (error) {
        return fail(error);
      }
    },
    /** Restarts into a downloaded update; does nothing without one. */
    install: (): void => {
      if (!present || state.kind !== 'ready') return;
      isInstalling = true;
      try {
        // No installer's window; the new version starts by itself.
        present.quitAndInstall(true, true);
      } catch (error) {
        notInstalled(error);
      }
    },
  };
}

/** The compiler can't know that the state changed while an answer was awaited. */
function isReady(state: UpdateState): boolean {
  return state.kind === 'ready';
}

const LONGEST_NOTES = 1000;

/** What came with a version in words; those who make packages may leave it out, or write HTML. */
function notesOf({ releaseNotes }: UpdateInfo): string | undefined {
  if (typeof releaseNotes !== 'string') return undefined;
  const words = releaseNotes.replaceAll(/<[^>]*>/g, '').trim();
  return words === '' ? undefined : words.slice(0, LONGEST_NOTES);
}

/** An app in the tray runs for weeks. */
const CHECK_EVERY_MS = 6 * 60 * 60 * 1000;

/** Checks for an update at once and then every six hours; `every` calls back until the app ends. */
export function checkRegularly(
  updates: Pick<Updates, 'check'>,
  every: (delayMs: number, act: () => void) => void,
): void {
  const check = (): void => void updates.check();
  check();
  every(CHECK_EVERY_MS, check);
}

/** What a dialog says and offers; the last button leaves everything as it is. */
export interface Message {
  message: string;
  detail: string;
  buttons: readonly string[];
}

/** Shows a message and resolves to the number of the button that was pressed. */
export type Ask = (message: Message) => Promise<number>;

export type UpdateOffer = ReturnType<typeof createUpdateOffer>;

/** `version`: of the app that runs. */
export function createUpdateOffer(updates: Updates, version: string, ask: Ask) {
  let isAwaited = false;
  const check = async (): Promise<UpdateState> => {
    const state = await updates.check();
    isAwaited = state.kind === 'downloading';
    return state;
  };
  return {
    /** Checks for an update because the person asked, and tells every outcome. */
    check: async (): Promise<void> => {
      const state = await check();
      const pressed = await ask(updateMessage(state, version));
      if (state.kind === 'ready' && pressed === 0) updates.install();
    },
    /** The server wants a newer app: starts the one that is downloaded, or says what is missing. */
    startNewer: async (): Promise<void> => {
      const state = await check();
      if (state.kind === 'ready') return updates.install();
      const { detail } = updateMessage(state, version);
      const because = state.kind === 'none' ? 'No newer version was found yet.' : detail;
      await ask(
        told(
          `${PRODUCT_NAME} must be updated`,
          `The server no longer accepts version ${version}. ${because} Unsent changes stay on this computer.`,
        ),
      );
    },
    /** The state is another: whoever was told of a download hears when it comes to nothing. */
    changed: (state: UpdateState): void => {
      if (!isAwaited || state.kind === 'downloading') return;
      isAwaited = false;
      if (state.kind === 'failed') void ask(updateMessage(state, version));
    },
  };
}

/** The app is still there after it was to start anew. */
export function installFailedMessage(version: string): Message {
  return told(
    'The update couldn’t be installed',
    `You still have version ${version}. On Linux you’ll be asked for the computer’s password, and an AppImage must be in a folder you can write to. To try again, choose Check for updates in the menu.`,
  );
}

/** How a check for updates ended, in words. */
function updateMessage(state: UpdateState, version: string): Message {
  switch (state.kind) {
    case 'ready':
      return {
        message: `${PRODUCT_NAME}${state.version === undefined ? '' : ` ${state.version}`} is ready`,
        detail: `${state.notes === undefined ? '' : `${state.notes}\n\n`}It restarts to update. Unsent changes are kept.`,
        buttons: ['Update now', 'Later'],
      };
    case 'downloading':
      return told(
        `Downloading ${PRODUCT_NAME} ${state.version}`,
        `${state.percent ?? 0}% so far. We’ll let you know when it’s ready.`,
      );
    case 'none':
      return told(`${PRODUCT_NAME} is up to date`, `Version ${version} is the latest.`);
    case 'not_configured':
      return told(
        'This app doesn’t check for updates',
        `Version ${version} was built without an address for updates. Ask whoever gave it to you for a newer one.`,
      );
    case 'failed':
      return told(
        'We couldn’t download the update',
        'Please check your connection and try again later.',
      );
  }
}

function told(message: string, detail: string): Message {
  return { message, detail, buttons: ['OK'] };
}

/** Whether updates may come from an address: encrypted, or on the same machine. */
export function mayUpdateFrom(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The key that updates are checked with, in the app's own `package.json`; undefined where none was packed. */
export function updatePublicKey(packageJson: string | undefined): string | undefined {
  const packed: unknown = JSON.parse(packageJson ?? '{}');
  if (typeof packed !== 'object' || packed === null || !('updatePublicKey' in packed)) {
    return undefined;
  }
  return typeof packed.updatePublicKey === 'string' ? packed.updatePublicKey : undefined;
}

/**
 * The address in `app-update.yml`, which the packaging puts beside the app; undefined where none was
 * configured, or one that updates may not come from.
 */
export function updateAddress(appUpdateYml: string | undefined): string | undefined {
  const written = /^url:\s*(?<quote>['"]?)(?<url>\S+?)\k<quote>\s*$/m.exec(appUpdateYml ?? '');
  const address = written?.groups?.['url'];
  return address !== undefined && mayUpdateFrom(address) ? address : undefined;
}

/** The name of the signature that lies beside a channel's file, such as `latest-linux.yml`. */
export const signatureName = (channelFile: string): string => `${channelFile}.sig`;

/**
 * Whether a text was signed with the key that belongs to `publicKey`: ed25519, base64 of its SPKI form, as
 * the packaging puts it into the app.
 */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'));
  } catch {
    return false;
  }
}
