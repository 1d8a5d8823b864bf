import type { AppWindow } from './app-window.ts';
import { linkAmong, pathOfLink } from './links.ts';

/** The part of Electron's `app` that is needed. */
export interface LinkSource {
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(
    event: 'open-url',
    listener: (event: { preventDefault(): void }, link: string) => void,
  ): unknown;
}

type Shown = Pick<AppWindow, 'show' | 'command'>;

/**
 * Listens at once for links and second starts: macOS tells the link that started the app before the
 * app is ready. The answer opens the window, and in it what was asked for last.
 */
export function followLinks(app: LinkSource, ownArgs: readonly string[]): (window: Shown) => void {
  let window: Shown | undefined;
  let asked = linkAmong(ownArgs);
  const follow = (link: string | undefined): void => {
    asked = link ?? asked;
    if (!window) return;
    const path = asked === undefined ? undefined : pathOfLink(asked);
    asked = undefined;
    window.show();
    if (path !== undefined) window.command({ kind: 'open', path });
  };
  app.on('second-instance', (_event, args) => follow(linkAmong(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(link);
  });
  return (opened) => {
    window = opened;
    follow(undefined);
  };
}
