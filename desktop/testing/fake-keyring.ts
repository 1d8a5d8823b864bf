import type { SafeStorage } from 'electron';

type AsyncKeyring = Pick<
  SafeStorage,
  | 'isAsyncEncryptionAvailable'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
  | 'getSelectedStorageBackend'
>;
/** How a keyring calls itself; "none" is a machine without any, "locked" one whose dialog nobody answers. */
export type KeyringKind = 'none' | 'locked' | 'basic_text' | 'gnome_libsecret';

const turned = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));

/** The system's keyring; its "encryption" can be told from plain text. */
export class FakeKeyring implements AsyncKeyring {
  kind: KeyringKind;
  /** How often the person may have been asked for a password. */
  timesAsked = 0;

  constructor(kind: KeyringKind) {
    this.kind = kind;
  }
  getSelectedStorageBackend = () => (this.kind === 'basic_text' ? 'basic_text' : 'gnome_libsecret');
  isAsyncEncryptionAvailable = (): Promise<boolean> => this.#answer(() => this.kind !== 'none');
  encryptStringAsync = (text: string): Promise<Buffer> =>
    this.#answer(() => turned(Buffer.from(text)));
  decryptStringAsync = (bytes: Buffer) =>
    this.#answer(() => ({ result: turned(bytes).toString(), shouldReEncrypt: false }));

  async #answer<Answer>(answer: () => Answer): Promise<Answer> {
    this.timesAsked += 1;
    if (this.kind === 'locked') return new Promise<never>(() => undefined);
    return answer();
  }
}
