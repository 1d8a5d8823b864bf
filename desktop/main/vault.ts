import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  return {
    canKeep,
    read: () => {
      if (!canKeep()) return undefined;
      try {
        return keyring.decryptString(readFileSync(file));
      } catch {
        return undefined;
      }
    },
    write: (text) => writeFileSync(file, keyring.encryptString(text), { mode: 0o600 }),
    clear: () => rmSync(file, { force: true }),
  };
}
