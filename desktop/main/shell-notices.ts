import type { Notification } from 'electron';
import type { Notice } from '#shared/platform.ts';

/** The part of Electron's `Notification` that is needed. */
export type ShownNotice = Pick<Notification, 'show' | 'on'>;

/** Of more at once the oldest are let go: some systems never say that a notice was closed. */
const HELD = 50;

/**
 * Shows notices of the system; a click opens what one is about. Each is held until it is clicked or
 * closed: one that nothing refers to is collected, and its click with it. `onFailed` is told once that the
 * system shows none: macOS shows those of signed apps only.
 */
export function createShellNotices(
  create: (notice: Pick<Notice, 'title' | 'body'>) => ShownNotice | undefined,
  open: (path: string) => void,
  onFailed: (reason: string) => void,
): { show: (notice: Notice) => void; held: () => number } {
  const held = new Set<ShownNotice>();
  let hasFailed = false;
  return {
    show: ({ title, body, path }) => {
      const notice = create({ title, body });
      if (!notice) return;
      const letGo = (): void => void held.delete(notice);
      held.add(notice);
      const [oldest] = held;
      if (held.size > HELD && oldest) held.delete(oldest);
      notice.on('click', () => {
        letGo();
        open(path);
      });
      notice.on('close', letGo);
      notice.on('failed', (_event, reason) => {
        letGo();
        if (!hasFailed) onFailed(reason);
        hasFailed = true;
      });
      notice.show();
    },
    held: () => held.size,
  };
}
