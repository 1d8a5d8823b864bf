export const LINK_SCHEME = 'ovation';

/** The screens a link may open; everything else about a link is ignored. */
const SCREENS: ReadonlyMap<string, string> = new Map([
  ['dashboard', '/dashboard'],
  ['settings', '/my-settings'],
  ['billing', '/my-billing'],
  ['subscriptions', '/my-subscriptions'],
]);

/** The path a link of ours opens ("ovation://post/123"), or undefined for one that is none. */
export function pathOfLink(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, pathname } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:`) return undefined;
  // A scheme of one's own has no host in the sense of the web: its letters stay as they were typed.
  const screen = host.toLowerCase();
  if (screen === 'post') {
    const post = /^\/(\d{1,32})\/?$/.exec(pathname)?.[1];
    return post === undefined ? undefined : `/dashboard?${new URLSearchParams({ post })}`;
  }
  return pathname === '' || pathname === '/' ? SCREENS.get(screen) : undefined;
}

/** A second start is given its link among the arguments. */
export function linkAmong(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.toLowerCase().startsWith(`${LINK_SCHEME}://`));
}
