import { html } from 'hono/html';
import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';
import { heart, type Html } from './layout.ts';
import { liveCounts } from './live.routes.ts';

/** `1,204`; the script formats the same way. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

export const postPath = (media: Media): string =>
  `/${media.productType === 'REELS' ? 'reel' : 'p'}/${media.shortcode}/`;

/** A time with its age; the script keeps it young. */
export function timeAgo(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${ageText(now - at)}</time>`;
}

/** The script says the same words. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
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
