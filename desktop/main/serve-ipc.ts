import * as v from 'valibot';
import { REQUEST_NAMES, requestChannel, type RequestName, type Requests } from '../ipc.ts';
import { REQUEST_SCHEMAS } from './request-schemas.ts';

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
