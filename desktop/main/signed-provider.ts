import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import { isSigned, signatureName } from './update-signature.ts';

type Given = ConstructorParameters<typeof GenericProvider>;
type Request = Parameters<GenericProvider['httpRequest']>;

/**
 * Updates of a folder on a web server whose channel's file is signed. It names version and digest of every
 * file, so nothing is downloaded, and no version believed, before the signature has been checked: whoever
 * has the web server alone can put no other app there.
 */
export function signedProvider(url: string, publicKey: string) {
  return class SignedProvider extends GenericProvider {
    constructor(_options: object, updater: Given[1], runtimeOptions: Given[2]) {
      super({ provider: 'generic', url }, updater, runtimeOptions);
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
