import { type Message, tooOldMessage, updateMessage } from './update-message.ts';
import type { Updates } from './updates.ts';

export interface UpdateOffer {
  /** Looks for an update because the person asked, and tells every outcome. */
  check: () => Promise<void>;
  /** The server wants a newer app: starts the one that is downloaded, or says what is missing. */
  startNewer: () => Promise<void>;
}

/** `ask` shows a message and resolves to the number of the button that was pressed. */
export function createUpdateOffer(
  updates: Updates,
  version: string,
  ask: (message: Message) => Promise<number>,
): UpdateOffer {
  return {
    check: async () => {
      const state = await updates.check();
      const pressed = await ask(updateMessage(state, version));
      if (state.kind === 'ready' && pressed === 0) updates.install();
    },
    startNewer: async () => {
      const state = await updates.check();
      if (state.kind === 'ready') updates.install();
      else await ask(tooOldMessage(state, version));
    },
  };
}
