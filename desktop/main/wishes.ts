import type { ShellCommand } from '#shared/platform.ts';

/**
 * As long as the UI may take to start. A dialog that was wished on the log-in page must not pop up when
 * somebody logs in an hour later; a screen that a link named is still what they came for.
 */
const WAIT_MS = 60_000;

/** What the shell wants of the UI. */
export interface Wishes {
  /** Hands a wish over; of those that come before the UI listens the last of each kind waits, a minute at most. */
  command: (command: ShellCommand) => void;
  setListening: (isListening: boolean) => void;
  /** Nobody is to be told of those that wait. */
  forget: () => void;
}

export function createWishes(
  tell: (command: ShellCommand) => void,
  onListening: (isListening: boolean) => void,
  now: () => number,
): Wishes {
  let isListening = false;
  const waiting = new Map<ShellCommand['kind'], { command: ShellCommand; at: number }>();
  return {
    command: (command) => {
      if (isListening) return tell(command);
      waiting.delete(command.kind);
      waiting.set(command.kind, { command, at: now() });
    },
    setListening: (isOn) => {
      isListening = isOn;
      onListening(isOn);
      if (!isOn) return;
      for (const { command, at } of waiting.values()) {
        if (command.kind === 'open' || now() - at < WAIT_MS) tell(command);
      }
      waiting.clear();
    },
    forget: () => waiting.clear(),
  };
}
