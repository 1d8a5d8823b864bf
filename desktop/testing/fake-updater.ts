import { EventEmitter } from 'node:events';
import { book } from './fake-world.ts';

/** electron-updater with one newer version at its address, downloaded when the test says so. */
class FakeUpdater extends EventEmitter {
  autoInstallOnAppQuit = true;
  checkForUpdates = async () => {
    book.done.push('looks for updates');
    return { isUpdateAvailable: true, updateInfo: { version: '2.0.0' }, downloadPromise: null };
  };
  setFeedURL = (): void => undefined;
  quitAndInstall = (): void => void book.done.push('installs');
}

const autoUpdater = new FakeUpdater();
// oxlint-disable-next-line import/no-default-export -- as the real one is imported
export default { autoUpdater };
