import { html } from 'hono/html';
import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';
import { page, type Html } from './layout.ts';
import { avatar, formatCount, likes, postPath, stage, timeAgo, views } from './parts.ts';

export interface FeedItem {
  media: Media;
  account: Account;
}

/** The newest posts of everyone, and who is there. */
export function feedPage(
  items: readonly FeedItem[],
  people: readonly Account[],
  now: number,
): Html {
  const body = html`
    <div class="two">
      <section aria-label="Newest posts" class="feed" data-newest="${items[0]?.media.id ?? ''}">
        <h1 class="sr">Newest posts</h1>
        <p class="fresh" hidden><a href="/">New posts. Show them</a></p>
        ${items.map((item) => card(item, now))}
        ${items.length === 0 ? html`<p class="empty">Nobody has posted yet.</p>` : ''}
      </section>
      <aside aria-label="People">
        <h2>People</h2>
        <ul class="people">
          ${people.map(
            (account) =>
              html`<li>
                <a href="/u/${account.username}">
                  ${avatar(account)}
                  <span
                    ><b>${account.username}</b
                    ><small>${formatCount(account.followers)} followers</small></span
                  >
                </a>
              </li>`,
          )}
        </ul>
        <p class="hint">
          Here you can be anyone. Open a profile to post a picture or a video as that person.
        </p>
      </aside>
    </div>
  `;
  return page({ title: 'Newest posts', body });
}

function card({ media, account }: FeedItem, now: number): Html {
  return html`<article class="card" data-post="${media.id}">
    <header>
      <a class="who" href="/u/${account.username}">${avatar(account)}<b>${account.username}</b></a>
      ${timeAgo(media.takenAt, now)}
    </header>
    ${
      media.mediaType === 'VIDEO'
        ? stage(media, account)
        : html`<a class="picture" href="${postPath(media)}">${stage(media, account, '?w=640')}</a>`
    }
    <footer>
      <p class="figures">
        ${likes(media)} ${views(media)} <a href="${postPath(media)}">Open post</a>
      </p>
      ${media.caption ? html`<p><b>${account.username}</b> ${media.caption}</p>` : ''}
    </footer>
  </article>`;
}
