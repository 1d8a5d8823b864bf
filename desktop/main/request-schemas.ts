import * as v from 'valibot';
import { SYNC_STATES } from '#shared/platform.ts';
import type { RequestName, Requests } from '../ipc.ts';

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
} as const satisfies {
  [Name in RequestName]: v.GenericSchema<Parameters<Requests[Name]>>;
};

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}
