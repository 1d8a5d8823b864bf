import { useEffect, useRef } from 'react';
import { type ShortcutId, shortcutOf, strokeOf } from '#web/customer/commands/shortcuts.ts';
import { usePageCommands } from '#web/customer/commands/page-commands.ts';
import { useShortcutActions } from '#web/customer/commands/use-shortcut-actions.ts';

/** So long the second key of a shortcut may take, ms. */
const SECOND_KEY_MS = 1500;

/**
 * Calls back with the shortcut that was pressed; true: it was carried out, and means nothing else.
 * Keys are those of a field, a menu or a dialog first; only the palette opens from a field too.
 */
function useShortcuts(carryOut: (shortcut: ShortcutId) => boolean): void {
  const latest = useRef(carryOut);
  useEffect(() => {
    latest.current = carryOut;
  });
  useEffect(() => {
    let before: { stroke: string; atMs: number } | undefined;
    // Whoever closes on a key is gone by the time the key comes here.
    let isCovered = false;
    const onCapture = (): void => {
      isCovered = document.querySelector(ON_TOP) !== null;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || MODIFIERS.has(event.key)) return;
      const first = before && event.timeStamp - before.atMs < SECOND_KEY_MS ? before.stroke : '';
      before = undefined;
      const stroke = strokeOf(event);
      const pressed = shortcutOf(stroke, first || undefined);
      if (!pressed) return;
      const isPalette = 'shortcut' in pressed && pressed.shortcut === 'palette';
      if (!isPalette && (isTyping(event.target) || isCovered)) return;
      if ('begins' in pressed) before = { stroke, atMs: event.timeStamp };
      else if (latest.current(pressed.shortcut)) event.preventDefault();
    };
    globalThis.addEventListener('keydown', onCapture, { capture: true });
    globalThis.addEventListener('keydown', onKey);
    return () => {
      globalThis.removeEventListener('keydown', onCapture, { capture: true });
      globalThis.removeEventListener('keydown', onKey);
    };
  }, []);
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta']);
/** What has the keys to itself while it is open. */
const ON_TOP = '[role="dialog"], [role="menu"]';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    'textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])',
  );
}

/** Carries out the keys of the app. */
export function ShortcutListener() {
  const page = usePageCommands();
  const actions = useShortcutActions();
  useShortcuts((shortcut) => {
    if (page.run(shortcut)) return true;
    const run = actions()[shortcut];
    run?.();
    return run !== undefined;
  });
  return null;
}
