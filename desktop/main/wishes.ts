import type { ShellCommand } from '#shared/platform.ts';

/** What the shell wants of the UI. */
export interface Wishes {
  /** Hands a wish over; of those that come before the UI listens the last of each kind waits. */
  command: (command: ShellCommand) => void;
  setListening: (isListening: boolean) => void;
  /** Nobody is to be told of those that wait. */
  forget: () => void;
}

export function createWishes(
  tell: (command: ShellCommand) => void,
  onListening: (isListening: boolean) => void,
): Wishes {
  let isListening = false;
  const waiting = new Map<ShellCommand['kind'], ShellCommand>();
  return {
    command: (command) => {
      if (isListening) return tell(command);
      waiting.delete(command.kind);
      waiting.set(command.kind, command);
    },
    setListening: (isOn) => {
      isListening = isOn;
      onListening(isOn);
      if (!isOn) return;
      for (const command of waiting.values()) tell(command);
      waiting.clear();
    },
    forget: () => waiting.clear(),
  };
}
