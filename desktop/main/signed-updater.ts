import type { ClientRequest, IncomingMessage } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Log } from './settings.ts';
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

/** electron-updater's own; it installs nothing unasked. */
export async function openSignedUpdater(
  url: string,
  publicKey: string,
  log: Log,
): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  // That of the kind of package that runs.
  const updater: AppUpdater = electronUpdater.autoUpdater;
  updater.autoInstallOnAppQuit = false;
  const write = (message: unknown): void => log(`Update: ${String(message)}`);
  updater.logger = { info: write, warn: write, error: write };
  updater.setFeedURL({ provider: 'custom', updateProvider: signedProvider(url, publicKey) });
  return updater;
}

/** Electron's network waits for an answer, or for the next part of one, for ever. */
const PART_WITHIN_MS = 30_000;
/** What counts as a part: an answer that comes byte by byte is none. */
const PART_BYTES = 16_384;
/** As long as a person has for the log-in of a proxy. */
const LOGIN_WITHIN_MS = 10 * MINUTE_MS;
/** A channel's file has less than 1000, its signature 88. */
const TEXT_BYTES_MAX = 65_536;

/** The options of a request, which electron-updater hands on to where it is redirected. */
interface Asked {
  maxBytes?: number;
}

/**
 * Bounds every request of an updater, its own downloads too. One that is silent for 30 s, or answered with
 * more than its `maxBytes`, of a file with more than `fileBytesMax` says by then, fails with an error that
 * says so; the next is asked afresh.
 */
function boundRequests(
  executor: Pick<ElectronHttpExecutor, 'createRequest'>,
  fileBytesMax: () => number,
): void {
  const create = executor.createRequest.bind(executor);
  executor.createRequest = ({ maxBytes = fileBytesMax(), ...options }: Asked, onResponse) => {
    const request = create(options, (response: IncomingMessage) => {
      // What the updater listens to is there first: the last part is its before it is counted.
      onResponse(response);
      bound.response(response);
    });
    const bound = boundTo(request, maxBytes);
    return request;
  };
}

function boundTo(request: ClientRequest, maxBytes: number) {
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => clearTimeout(timer);
  const fail = (why: string): void => {
    settle();
    request.emit('error', new Error(why));
    request.abort();
  };
  const wait = (delayMs: number): void => {
    settle();
    timer = setTimeout(() => fail(`The server was silent for ${delayMs / 1000} s.`), delayMs);
  };
  wait(PART_WITHIN_MS);
  request.on('login', () => wait(LOGIN_WITHIN_MS));
  for (const end of ['redirect', 'abort', 'close', 'error'] as const)
    request.on(end as 'close', settle);
  return {
    response: (response: IncomingMessage): void => {
      let bytes = 0;
      let part = 0;
      wait(PART_WITHIN_MS);
      response.on('data', (chunk: Buffer | string) => {
        bytes += Buffer.byteLength(chunk);
        part += Buffer.byteLength(chunk);
        if (bytes > maxBytes) return fail(`The server answers with more than ${maxBytes} bytes.`);
        if (part < PART_BYTES) return;
        part = 0;
        wait(PART_WITHIN_MS);
      });
      for (const end of ['end', 'aborted', 'error'] as const) response.on(end as 'end', settle);
    },
  };
}
