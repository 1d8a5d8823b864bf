import { html } from 'hono/html';
import { ACCOUNT_KINDS } from '../accounts.ts';
import { NETWORK_NAME, page, type Html } from './layout.ts';
import { KIND_WORDS } from './profile-page.ts';

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
