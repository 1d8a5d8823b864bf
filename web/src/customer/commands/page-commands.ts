import { createContext, useContext, useEffect, useRef } from 'react';
import type { ShortcutId } from './shortcuts.ts';

/** What the page that is shown can do; its keys and the palette ask for it by the shortcut's id. */
interface PageCommands {
  /** Offers to do it until the returned function is called; the last one who offers is asked. */
  offer: (id: ShortcutId, run: () => void) => () => void;
  has: (id: ShortcutId) => boolean;
  /** False when the page can't. */
  run: (id: ShortcutId) => boolean;
}

export function createPageCommands(): PageCommands {
  const offered: Array<{ id: ShortcutId; run: () => void }> = [];
  const last = (id: ShortcutId) => offered.findLast((one) => one.id === id);
  return {
    offer: (id, run) => {
      const one = { id, run };
      offered.push(one);
      return () => void offered.splice(offered.indexOf(one), 1);
    },
    has: (id) => last(id) !== undefined,
    run: (id) => {
      const found = last(id);
      found?.run();
      return found !== undefined;
    },
  };
}

export const PageCommandsContext = createContext<PageCommands | undefined>(undefined);

export function usePageCommands(): PageCommands {
  const commands = useContext(PageCommandsContext);
  if (!commands) throw new Error('Only the pages of a customer have commands.');
  return commands;
}

/** Offers a command while the component is shown; undefined: not at the moment. */
export function usePageCommand(id: ShortcutId, run: (() => void) | undefined): void {
  const commands = usePageCommands();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isOffered = run !== undefined;
  useEffect(
    () => (isOffered ? commands.offer(id, () => latest.current?.()) : undefined),
    [commands, id, isOffered],
  );
}
