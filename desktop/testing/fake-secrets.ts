import type { SecretFile } from '../main/session.ts';

/** A secret that is kept in memory, by a keyring that can be missing, and on a disk that can be full. */
export class FakeSecrets implements SecretFile {
  text: string | undefined;
  hasKeyring = true;
  /** What a write fails with. */
  writeFailure: Error | undefined;
  timesRead = 0;

  constructor(known: { text?: string; hasKeyring?: boolean; writeFailure?: Error } = {}) {
    Object.assign(this, known);
  }
  canKeep = async (): Promise<boolean> => this.hasKeyring;
  read = async (): Promise<string | undefined> => {
    this.timesRead += 1;
    return this.text;
  };
  write = async (text: string): Promise<void> => {
    if (this.writeFailure) throw this.writeFailure;
    this.text = text;
  };
  clear = async (): Promise<void> => void (this.text = undefined);
}
