import { html } from 'hono/html';
import type { StoredMail } from '../mail/message-store.ts';
import { type Html, page, timeAgo } from './page.ts';

/** The mails received, newest first, of one recipient when `to` is given. */
export function mailListPage(mails: readonly StoredMail[], now: number, to?: string): Html {
  const body = html`
    <h1>Emails</h1>
    <p class="hint">
      ${
        to === undefined
          ? 'Every email sent to this sandbox ends up here. None of them leave this computer.'
          : html`Emails to <b>${to}</b>. <a href="/mail">Show all</a>`
      }
    </p>
    ${
      mails.length === 0
        ? html`<p class="empty">No emails yet. Receipts and codes appear here as they’re sent.</p>`
        : html`<ol class="mails">
            ${mails.map((mail) => mailLine(mail, now))}
          </ol>`
    }
  `;
  return page({ title: 'Emails', body });
}

function mailLine(mail: StoredMail, now: number): Html {
  const beginning = mail.text.replaceAll(/\s+/g, ' ').slice(0, 160);
  return html`<li>
    <a href="/mail/${mail.id}">
      <span class="mail-to">${mail.to}</span>
      <span class="mail-about"
        ><b>${mail.subject || 'No subject'}</b> <small>${beginning}</small></span
      >
      ${timeAgo(mail.at, now)}
    </a>
  </li>`;
}

/** One mail: as designed and as plain text. */
export function mailPage(mail: StoredMail): Html {
  const at = new Date(mail.at).toISOString();
  const body = html`
    <p><a href="/mail">All emails</a></p>
    <h1>${mail.subject || 'No subject'}</h1>
    <p class="hint mail-head">
      From <b>${mail.from}</b> to
      <a href="/mail?to=${encodeURIComponent(mail.to)}"><b>${mail.to}</b></a
      >,
      <time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>
    </p>
    ${
      mail.html === null
        ? ''
        : html`<h2>As designed</h2>
            <iframe
              class="mail-sheet"
              title="The email as designed"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              src="/mail/${mail.id}/html"
            ></iframe>`
    }
    <h2>As plain text</h2>
    <pre class="mail-sheet mail-text" tabindex="0">
${mail.text || 'This email has no plain text.'}</pre>
  `;
  return page({ title: mail.subject || 'Email', body });
}

export function mailMissingPage(): Html {
  const body = html`<section class="narrow">
    <h1>There’s no email here</h1>
    <p><a href="/mail">See all emails</a></p>
  </section>`;
  return page({ title: 'Not here', body });
}
