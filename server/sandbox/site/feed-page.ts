import { html } from 'hono/html';
import type { Account } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { Media } from '../media.ts';
import { memberName } from '../members.ts';
import {
  page,
  type Html,
  avatar,
  formatCount,
  likes,
  postPath,
  stage,
  timeAgo,
  views,
  ageText,
} from './page.ts';

interface FeedItem {
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

interface PostView {
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

const LIKERS_SHOWN = 12;

interface Liker {
  name: string;
  at: number;
}

export function listLikers(ctx: SandboxContext, media: Media): Liker[] {
  return ctx.media
    .listLikers(media.id, LIKERS_SHOWN)
    .map(({ memberId, at }) => ({ name: memberName(memberId), at }));
}
