import { html } from 'hono/html';
import { ACCOUNT_KINDS, type Account, type AccountKind } from '../accounts.ts';
import type { Media } from '../media.ts';
import { page, type Html, avatar, formatCount, likes, postPath, NETWORK_NAME } from './page.ts';

const KIND_WORDS: Readonly<Record<AccountKind, string>> = {
  business: 'Business account',
  creator: 'Creator account',
  personal: 'Personal account',
  private: 'Private account',
  age_gated: 'Age-restricted account',
};

interface ProfileView {
  account: Account;
  media: readonly Media[];
  postCount: number;
  problem?: string | undefined;
}

/** One account: its figures, its grid, and the forms to post on it or change it. */
export function profilePage({ account, media, postCount, problem }: ProfileView): Html {
  const body = html`
    <section class="profile">
      ${avatar(account, 'large')}
      <div>
        <h1>${account.username}</h1>
        <p class="name">${account.name} <span class="chip">${KIND_WORDS[account.kind]}</span></p>
        <p class="figures">
          <span><b>${formatCount(postCount)}</b> ${postCount === 1 ? 'post' : 'posts'}</span>
          <span><b>${formatCount(account.followers)}</b> followers</span>
        </p>
        <p>${account.bio}</p>
      </div>
    </section>
    <div class="tools">${uploadForm(account, problem !== undefined)} ${settingsForm(account)}</div>
    ${
      media.length === 0
        ? html`<p class="empty">No posts yet. Share the first picture above.</p>`
        : html`<ul class="grid" aria-label="Posts">
            ${media.map((each) => tile(each, account))}
          </ul>`
    }
  `;
  return page({ title: account.username, body, problem });
}

function tile(media: Media, account: Account): Html {
  const label = media.caption || `Post by ${account.username}`;
  const isVideo = media.mediaType === 'VIDEO';
  return html`<li data-post="${media.id}">
    <a href="${postPath(media)}">
      ${
        isVideo
          ? html`<video
              src="/pic/m/${media.id}"
              muted
              preload="metadata"
              aria-label="${label}"
            ></video>`
          : html`<img src="/pic/m/${media.id}?w=320" alt="${label}" loading="lazy" />`
      }
      ${isVideo ? html`<span class="badge">Video</span>` : ''}
      ${media.mediaType === 'CAROUSEL_ALBUM' ? html`<span class="badge">Album</span>` : ''}
      ${media.isPinned ? html`<span class="badge">Pinned</span>` : ''}
      <span class="tile-likes">${likes(media)}</span>
    </a>
  </li>`;
}

function uploadForm(account: Account, isOpen: boolean): Html {
  return html`<details ${isOpen ? 'open' : ''} id="upload">
    <summary>Share a picture or video</summary>
    <form method="post" action="/u/${account.username}/posts" enctype="multipart/form-data">
      <label for="file">Picture or video</label>
      <input
        id="file"
        name="file"
        type="file"
        required
        accept="image/jpeg,image/png,image/webp,video/mp4,video/webm"
        aria-describedby="file-hint"
      />
      <p class="hint" id="file-hint">JPEG, PNG, WebP, MP4 or WebM, up to 32 MB.</p>
      <div class="preview" hidden></div>
      <label for="caption">Caption</label>
      <textarea id="caption" name="caption" rows="2" maxlength="2200"></textarea>
      <label class="check"
        ><input type="checkbox" name="hideLikes" value="on" /> Hide the number of likes</label
      >
      <button type="submit">Share</button>
    </form>
  </details>`;
}

function settingsForm(account: Account): Html {
  return html`<details>
    <summary>Edit this account</summary>
    <form method="post" action="/u/${account.username}/rename">
      <label for="username">Username</label>
      <input
        id="username"
        name="username"
        value="${account.username}"
        required
        maxlength="30"
        autocomplete="off"
      />
      <label for="kind">Account type</label>
      <select id="kind" name="kind">
        ${ACCOUNT_KINDS.map(
          (kind) =>
            html`<option value="${kind}" ${kind === account.kind ? 'selected' : ''}>
              ${KIND_WORDS[kind]}
            </option>`,
        )}
      </select>
      <button type="submit">Save</button>
    </form>
  </details>`;
}

/** The form that makes an account, with what was typed when it was refused. */
export function newAccountPage(typed: string, problem?: string): Html {
  const body = html`
    <section class="narrow">
      <h1>A new account on ${NETWORK_NAME}</h1>
      <form method="post" action="/new">
        <label for="username">Username</label>
        <input
          id="username"
          name="username"
          value="${typed}"
          required
          maxlength="30"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="username-hint"
        />
        <p class="hint" id="username-hint">Letters, digits, dots and underscores.</p>
        <label for="kind">Account type</label>
        <select id="kind" name="kind" aria-describedby="kind-hint">
          ${ACCOUNT_KINDS.map((kind) => html`<option value="${kind}">${KIND_WORDS[kind]}</option>`)}
        </select>
        <p class="hint" id="kind-hint">
          Only business and creator accounts can be read by other services.
        </p>
        <button type="submit">Create account</button>
      </form>
    </section>
  `;
  return page({ title: 'New account', body, problem });
}
