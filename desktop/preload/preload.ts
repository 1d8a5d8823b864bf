import { contextBridge, ipcRenderer } from 'electron';
import {
  ABOUT_ARGUMENT,
  EVENT_NAMES,
  eventChannel,
  REQUEST_NAMES,
  requestChannel,
  type Shell,
  type ShellAbout,
} from '../ipc.ts';

const about = process.argv.find((arg) => arg.startsWith(ABOUT_ARGUMENT));
const known: ShellAbout = JSON.parse(
  about?.slice(ABOUT_ARGUMENT.length) ?? '{"version":"","hasServer":false}',
);

/** Only the names of the table pass; the window can't reach any other channel. */
const shell: Shell = {
  ...known,
  request: (name, ...args) => {
    if (!REQUEST_NAMES.includes(name)) throw new Error('There is no such request.');
    return ipcRenderer.invoke(requestChannel(name), ...args);
  },
  on: (name, listener) => {
    if (!EVENT_NAMES.includes(name)) throw new Error('There is no such event.');
    const onEvent = (_event: unknown, detail: Parameters<typeof listener>[0]): void =>
      listener(detail);
    ipcRenderer.on(eventChannel(name), onEvent);
    return () => ipcRenderer.off(eventChannel(name), onEvent);
  },
};

contextBridge.exposeInMainWorld('ovationShell', shell);
