import { html } from 'hono/html';
import type { Account } from '../accounts.ts';
import type { Media } from '../media.ts';
import { page, type Html } from './layout.ts';
import type { Liker } from './live.routes.ts';
import { ageText, avatar, formatCount, likes, stage, timeAgo, views } from './parts.ts';

export interface PostView {
  media: Media;
  account: Account;
  likers: readonly Liker[];
  now: number;
}

/** One post, large, with its figures as they change and who liked it last. */
export function postPage({ media, account, likers, now }: PostView): Html {
  const body = html`
    <article class="post" data-post="${media.id}" data-detail>
      <div class="stage">${stage(media, account)}</div>
      <div class="side">
        <header>
          <a class="who" href="/u/${account.username}"
            >${avatar(account)}<b>${account.username}</b></a
          >
          ${timeAgo(media.takenAt, now)}
        </header>
        ${media.caption ? html`<h1 class="caption">${media.caption}</h1>` : html`<h1 class="sr">Post by ${account.username}</h1>`}
        <p class="figures big" aria-live="off">${likes(media)} ${views(media)}</p>
        <section aria-labelledby="likers-title" class="likers">
          <h2 id="likers-title">
            From members <b data-members>${formatCount(media.memberLikes)}</b>
          </h2>
          <ol data-likers>
            ${likers.map(
              (liker) =>
                html`<li>
                  <span class="initial" aria-hidden="true"
                    >${liker.name.slice(0, 1).toUpperCase()}</span
                  >
                  <span>${liker.name}</span> <small>${ageText(now - liker.at)}</small>
                </li>`,
            )}
          </ol>
          <p class="hint" data-no-likers ${likers.length > 0 ? 'hidden' : ''}>
            No member of the delivery network has liked this yet.
          </p>
        </section>
        <details>
          <summary>Delete this post</summary>
          <form method="post" action="/posts/${media.id}/delete">
            <p>The post disappears from the network right away. You can’t get it back.</p>
            <button type="submit" class="danger">Delete post</button>
          </form>
        </details>
      </div>
    </article>
  `;
  return page({ title: media.caption || `Post by ${account.username}`, body });
}
