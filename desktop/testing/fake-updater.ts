import { EventEmitter } from 'node:events';
import type { Updater } from '../main/updates.ts';

/** electron-updater with one newer version at its address, downloaded when the test says so. */
export class FakeUpdater extends EventEmitter implements Updater {
  autoInstallOnAppQuit = true;
  logger: unknown;
  checks = 0;
  found: Awaited<ReturnType<Updater['checkForUpdates']>> = {
    isUpdateAvailable: true,
    updateInfo: { version: '2.0.0' },
    downloadPromise: null,
  };
  checkFailure: Error | undefined;
  /** Why nothing is installed: the folder is read-only, or the person didn't give the password. */
  installFailure: Error | undefined;
  readonly installs: Array<{ isSilent: boolean; isForceRunAfter: boolean }> = [];

  checkForUpdates = async (): Promise<typeof this.found> => {
    this.checks += 1;
    if (this.checkFailure) throw this.checkFailure;
    return this.found;
  };
  setFeedURL = (): void => undefined;
  /** The real one tells a failure as an event, from within the call. */
  quitAndInstall = (isSilent: boolean, isForceRunAfter: boolean): void => {
    this.installs.push({ isSilent, isForceRunAfter });
    if (this.installFailure) this.emit('error', this.installFailure);
  };
}
