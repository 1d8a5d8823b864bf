import { flushSync } from 'react-dom';

/** How many turns of React an answer may take: its promise, the state, what that state sets off. */
const TURNS = 3;

/** Does something, and comes back once React has drawn it. A turn is an immediate, so nothing waits for the clock. */
export async function redrawn(work: () => unknown): Promise<void> {
  flushSync(() => void work());
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    flushSync(() => undefined);
  }
}
