import type { Privileges } from 'electron';

/**
 * What the window's own scheme may do: as https, no more. IndexedDB, workers, locks and channels need
 * `standard` and `secure`; calls and streams `supportFetchAPI` and `stream`. There is no service
 * worker: the files come from the bundle, and pictures are kept by the handler (`picture-folder.ts`).
 */
export const SCHEME_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  bypassCSP: false,
  allowServiceWorkers: false,
  corsEnabled: false,
  allowExtensions: false,
} as const satisfies Privileges;
