import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import { boundRequests, TEXT_BYTES_MAX } from './bounded-requests.ts';
import type { Log } from './trouble.ts';
import { isSigned, signatureName, type Updater } from './updates.ts';

type Given = ConstructorParameters<typeof GenericProvider>;
type Request = Parameters<GenericProvider['httpRequest']>;
type Options = Parameters<GenericProvider['createRequestOptions']>;

/** Of a file whose size isn't told; the packaging tells it. */
const UNSIZED_BYTES_MAX = 500_000_000;

/**
 * Updates of a folder on a web server whose channel's file is signed. It names version and digest of every
 * file, so nothing is downloaded, and no version believed, before the signature has been checked: whoever
 * has the web server alone can put no other app there.
 */
export function signedProvider(url: string, publicKey: string) {
  return class SignedProvider extends GenericProvider {
    /** Of the files that the signed one names. */
    #largestBytes = 0;

    constructor(_options: object, updater: Given[1], runtimeOptions: Given[2]) {
      super({ provider: 'generic', url }, updater, runtimeOptions);
      boundRequests(runtimeOptions.executor, () => this.#largestBytes);
    }

    override async getLatestVersion() {
      const latest = await super.getLatestVersion();
      this.#largestBytes = Math.max(...latest.files.map(({ size }) => size ?? UNSIZED_BYTES_MAX));
      return latest;
    }

    /** Of the channel's file and its signature. */
    protected override createRequestOptions(...asked: Options) {
      return { ...super.createRequestOptions(...asked), maxBytes: TEXT_BYTES_MAX };
    }

    /** Asked for the channel's file, and nothing else. */
    protected override async httpRequest(...[file, ...options]: Request): Promise<string> {
      const text = (await super.httpRequest(file, ...options)) ?? '';
      const beside = new URL(file);
      beside.pathname = signatureName(beside.pathname);
      const signature = (await super.httpRequest(beside, ...options)) ?? '';
      if (isSigned(text, signature, publicKey)) return text;
      throw new Error(`The signature of ${file.pathname} is missing or wrong: no update is taken.`);
    }
  };
}

/** The updater of the kind of package that runs; it installs nothing unasked. */
export async function openSignedUpdater(
  url: string,
  publicKey: string,
  log: Log,
): Promise<Updater> {
  const updater = await openUpdater();
  updater.autoInstallOnAppQuit = false;
  const write = (message: unknown): void => log(`Update: ${String(message)}`);
  updater.logger = { info: write, warn: write, error: write };
  updater.setFeedURL({ provider: 'custom', updateProvider: signedProvider(url, publicKey) });
  return updater;
}

/** As electron-updater's own `autoUpdater` chooses, without the kinds of packages that aren't made. */
async function openUpdater(): Promise<AppUpdater> {
  if (process.platform === 'win32') {
    const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
    return new NsisUpdater();
  }
  if (process.platform === 'darwin') {
    const { MacUpdater } = await import('electron-updater/out/MacUpdater.js');
    return new MacUpdater();
  }
  const type = await readFile(join(process.resourcesPath, 'package-type'), 'utf8').catch(() => '');
  if (type.trim() === 'deb') {
    const { DebUpdater } = await import('electron-updater/out/DebUpdater.js');
    return new DebUpdater();
  }
  const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
  return new AppImageUpdater();
}
