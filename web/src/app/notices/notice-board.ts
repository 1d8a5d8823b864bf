import type { Platform } from '#shared/platform.ts';
import type { News } from './news.ts';

type Shell = Pick<Platform, 'notify' | 'setBadge' | 'isVisible' | 'onWake'>;

/** Tells a person who is elsewhere what happened, each thing once; what stood there at first is no news. */
export interface NoticeBoard {
  /** All news there are to tell at the moment, old and new. */
  show: (news: readonly News[]) => void;
  stop: () => void;
}

/** More at once are told as a number on the icon only. */
const NOTICE_LIMIT = 3;

export function createNoticeBoard(shell: Shell): NoticeBoard {
  let known: ReadonlySet<string> | undefined;
  let untold = 0;
  const seen = (): void => {
    if (!shell.isVisible() || untold === 0) return;
    untold = 0;
    shell.setBadge(0);
  };
  const stop = shell.onWake(seen);
  return {
    show: (all) => {
      const before = known;
      known = new Set([...(before ?? []), ...all.map(({ key }) => key)]);
      if (!before || shell.isVisible()) return;
      const fresh = all.filter(({ key }) => !before.has(key));
      if (fresh.length === 0) return;
      for (const { notice } of fresh.slice(0, NOTICE_LIMIT)) shell.notify(notice);
      untold += fresh.length;
      shell.setBadge(untold);
    },
    stop,
  };
}
