/** The mistake itself: it ends where a window should open. */
import { app } from 'electron';

app.quit();
