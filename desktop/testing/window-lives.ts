import { control, type OpenedWindow } from './fake-electron.ts';
import { book } from './fake-world.ts';

/** The person has chosen that the app ends with its window. */
export async function endWithWindow(window: OpenedWindow): Promise<Record<string, unknown>> {
  window.draw();
  await control.ask('setKeepRunning', false);
  const next = control.nextWindow();
  window.breakDown('crashed');
  const second = await next;
  second.draw();
  const hasEnded = (): boolean => book.done.includes('quit');
  const facts = { 'after it broke': [hasEnded(), second.isVisible()] };
  return { ...facts, closing: second.close(), 'then it ends': hasEnded() };
}
