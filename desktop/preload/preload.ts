import { contextBridge } from 'electron';
import type { Shell } from '../shell.ts';

const shell: Shell = { kind: 'desktop' };
contextBridge.exposeInMainWorld('ovationShell', shell);
