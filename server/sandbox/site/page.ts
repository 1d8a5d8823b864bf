import { html, raw } from 'hono/html';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';

export type Html = ReturnType<typeof html>;

/** The network's name. It is made up, and so is everything on it. */
export const NETWORK_NAME = 'Driftwood';

interface PageOptions {
  title: string;
  body: Html;
  /** Shown above the page as an alert. */
  problem?: string | undefined;
}

/** The frame of every page. */
export function page({ title, body, problem }: PageOptions): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${NETWORK_NAME}</title>
        <link rel="icon" href="/site/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/site/site.css" />
        <script src="/site/site.js" type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <a class="brand" href="/">${mark()}<span>${NETWORK_NAME}</span></a>
          <p class="demo-note">Demo network<span>: made-up people, made-up pictures</span></p>
          <nav aria-label="Main">
            <a href="/new">New account</a>
            <a href="/mail">Emails</a>
            <a href="/cards">Cards</a>
          </nav>
        </header>
        <main id="main">
          ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''} ${body}
        </main>
        <footer>
          <p>
            ${NETWORK_NAME} runs on this computer only and stands in for a real social network.
            Nothing here leaves it.
          </p>
        </footer>
      </body>
    </html>`;
}

/** Three waves: the network's mark. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="#1f6f66"/><g fill="none" stroke="#f3ead9" stroke-width="2.6" stroke-linecap="round"><path d="M6 12c3.3-3 6.600-3 10 0s6.700 3 10 0"/><path d="M6 18c3.300-3 6.600-3 10 0s6.700 3 10 0" opacity=".75"/><path d="M6 24c3.300-3 6.600-3 10 0s6.700 3 10 0" opacity=".5"/></g></svg>`;

const mark = (): Html => html`${raw(MARK_SVG)}`;

const HEART = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="M12 20.300C6.200 15.700 3 12.600 3 9a4.700 4.700 0 0 1 9-2 4.700 4.700 0 0 1 9 2c0 3.600-3.200 6.700-9 11.300z" fill="currentColor"/></svg>`;
const heart = (): Html => html`${raw(HEART)}`;

/** `1,204`; the script formats the same way. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

export const postPath = (media: Media): string =>
  `/${media.productType === 'REELS' ? 'reel' : 'p'}/${media.shortcode}/`;

/** A time with its age; the script keeps it true. */
export function timeAgo(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${ageText(now - at)}</time>`;
}

/** The script says the same words. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

export function avatar(account: Account, size: 'small' | 'large' = 'small'): Html {
  return html`<img
    class="avatar ${size}"
    src="/pic/a/${account.igId}${size === 'small' ? '?w=96' : '?w=320'}"
    alt=""
    width="${size === 'small' ? 40 : 132}"
    height="${size === 'small' ? 40 : 132}"
    loading="lazy"
  />`;
}

/** Heart and figure; `data-likes` is where the script writes new figures. */
export function likes(media: Media): Html {
  const counts = liveCounts(media);
  return html`<span class="likes">
    ${heart()}
    ${
      counts.likes === null
        ? html`<span>Hidden<span class="more"> by the owner</span></span>`
        : html`<b data-likes>${formatCount(counts.likes)}</b>
            <span data-likes-word>${counts.likes === 1 ? 'like' : 'likes'}</span>`
    }
  </span>`;
}

export function views(media: Media): Html | '' {
  const counts = liveCounts(media);
  return counts.views === null
    ? ''
    : html`<span class="views"><b data-views>${formatCount(counts.views)}</b> views</span>`;
}

/** The post itself: a picture, a film, or pictures to scroll through. */
export function stage(media: Media, account: Account, width: '' | '?w=640' = ''): Html {
  const label = media.caption || `Post by ${account.username}`;
  if (media.mediaType === 'VIDEO') {
    return html`<video
      src="/pic/m/${media.id}"
      controls
      muted
      loop
      playsinline
      preload="metadata"
      aria-label="${label}"
    ></video>`;
  }
  if (media.mediaType === 'CAROUSEL_ALBUM' && width === '') {
    return html`<div
      class="strip"
      tabindex="0"
      role="group"
      aria-label="${label}: ${media.children.length + 1} pictures"
    >
      ${[0, ...media.children.map((_, index) => index + 1)].map(
        (index) => html`<img src="/pic/m/${media.id}?n=${index}" alt="${label} (${index + 1})" />`,
      )}
    </div>`;
  }
  return html`<img src="/pic/m/${media.id}${width}" alt="${label}" loading="lazy" />`;
}

/** What one post shows live. `likes` is null when the owner hides them. */
export interface LiveCounts {
  likes: number | null;
  fromMembers: number;
  views: number | null;
}

export function liveCounts(media: Media): LiveCounts {
  return {
    likes: media.isLikesHidden ? null : media.organicLikes + media.memberLikes,
    fromMembers: media.memberLikes,
    views: media.mediaType === 'VIDEO' ? media.organicViews + media.memberViews : null,
  };
}
