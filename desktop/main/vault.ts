import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { SafeStorage } from 'electron';
import type { Vault } from './session-jar.ts';

/**
 * A file that the system's keyring encrypts. Linux without a keyring offers a fixed password
 * ("basic_text"), which protects nothing: then nothing is kept.
 */
export function createVault(
  file: string,
  keyring: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
  >,
  isLinux: boolean,
): Vault {
  const canKeep = (): boolean =>
    keyring.isEncryptionAvailable() &&
    (!isLinux || keyring.getSelectedStorageBackend() !== 'basic_text');
  const unfinished = `${file}.part`;
  return {
    canKeep,
    read: () => {
      try {
        if (!canKeep()) return undefined;
        return keyring.decryptString(readFileSync(file));
      } catch {
        return undefined;
      }
    },
    write: (text) => {
      // Whole or not at all, whenever the app ends.
      writeFileSync(unfinished, keyring.encryptString(text), { mode: 0o600 });
      renameSync(unfinished, file);
    },
    clear: () => {
      rmSync(unfinished, { force: true });
      rmSync(file, { force: true });
    },
  };
}
