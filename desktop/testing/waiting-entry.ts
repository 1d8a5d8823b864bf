/** The mistake itself: Electron is ready only after this has been evaluated, so it never starts. */
import { app } from 'electron';

await app.whenReady();
