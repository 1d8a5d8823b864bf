import type { ClientRequest, IncomingMessage } from 'electron';
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';

/** Electron's network waits for an answer, or for the next part of one, for ever. */
const PART_WITHIN_MS = 30_000;
/** What counts as a part: an answer that comes byte by byte is none. */
const PART_BYTES = 16_384;
/** As long as a person has for the log-in of a proxy. */
const LOGIN_WITHIN_MS = 10 * 60_000;
/** A channel's file has less than 1000, its signature 88. */
export const TEXT_BYTES_MAX = 65_536;

/** The options of a request, which electron-updater hands on to where it is redirected. */
interface Asked {
  maxBytes?: number;
}

/**
 * Bounds every request of an updater, its own downloads too. One that is silent for 30 s, or answered with
 * more than its `maxBytes`, of a file with more than `fileBytesMax` says by then, fails with an error that
 * says so; the next is asked afresh.
 */
export function boundRequests(
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
