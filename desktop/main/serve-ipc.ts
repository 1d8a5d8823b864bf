import * as v from 'valibot';
import { SYNC_STATES } from '#shared/platform.ts';
import { REQUEST_NAMES, requestChannel, type RequestName, type Requests } from '../ipc.ts';

const path = v.pipe(v.string(), v.regex(/^\/(?!\/)/), v.maxLength(500));
const line = v.pipe(v.string(), v.maxLength(300));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The arguments of each request, as the main process accepts them; it trusts the window with nothing. */
export const REQUEST_SCHEMAS = {
  setListening: v.strictTuple([v.boolean()]),
  chooseServer: v.strictTuple([line]),
  keepServer: v.strictTuple([]),
  readStartAtLogin: v.strictTuple([]),
  setStartAtLogin: v.strictTuple([v.boolean()]),
  readKeepRunning: v.strictTuple([]),
  setKeepRunning: v.strictTuple([v.boolean()]),
  notify: v.strictTuple([v.object({ title: line, body: line, path })]),
  setBadge: v.strictTuple([count]),
  saveFile: v.strictTuple([
    v.object({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(120)),
      content: v.union([v.string(), v.custom<Uint8Array<ArrayBuffer>>(isBytes)]),
    }),
  ]),
  forgetPictures: v.strictTuple([]),
  openExternal: v.strictTuple([v.pipe(v.string(), v.maxLength(2000))]),
  print: v.strictTuple([]),
  readUpdate: v.strictTuple([]),
  checkForUpdate: v.strictTuple([]),
  installUpdate: v.strictTuple([]),
  startNewer: v.strictTuple([]),
  setTrayState: v.strictTuple([v.object({ sync: v.picklist(SYNC_STATES), pending: count })]),
  readProblems: v.strictTuple([]),
  revealLogs: v.strictTuple([]),
} as const satisfies {
  [Name in RequestName]: v.GenericSchema<Parameters<Requests[Name]>>;
};

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}

/** What the shell does for each request of the table. */
export type RequestHandlers = {
  [Name in RequestName]: (
    ...args: Parameters<Requests[Name]>
  ) => ReturnType<Requests[Name]> | Promise<ReturnType<Requests[Name]>>;
};

/** The part of Electron's `ipcMain` that is needed. */
export interface IpcServer<Event> {
  handle(channel: string, listener: (event: Event, ...args: unknown[]) => unknown): void;
}

/**
 * Serves every request of the table: only to the UI's own top frame, and only with arguments that fit
 * the schema.
 */
export function serveIpc<Event>(
  ipc: IpcServer<Event>,
  isTrusted: (event: Event) => boolean,
  handlers: RequestHandlers,
): void {
  for (const name of REQUEST_NAMES) {
    // The schema of the same name has parsed the arguments; the compiler can't follow the index.
    const handler = handlers[name] as (...args: unknown[]) => unknown;
    ipc.handle(requestChannel(name), (event, ...args) => {
      if (!isTrusted(event)) throw new Error('Only the window of the app may ask this.');
      const parsed = v.safeParse(REQUEST_SCHEMAS[name], args);
      if (!parsed.success) {
        throw new Error(`"${name}" was asked with something else than it takes.`);
      }
      return handler(...parsed.output);
    });
  }
}
