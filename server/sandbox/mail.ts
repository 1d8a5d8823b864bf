import type { Context, Hono } from 'hono';
import type { MailPart, SandboxContext } from './context.ts';
import { openMessageStore, type StoredMail } from './mail/message-store.ts';
import { openSmtpSink } from './mail/smtp-sink.ts';
import { html } from 'hono/html';
import { type Html, page, timeAgo } from './site/page.ts';

const SHOWN = 200;
const LISTED = 1000;

/**
 * The mail server of the outside world: takes every mail, shows them at `/mail` and lists them, newest
 * first, at `GET /control/mails?to=`.
 * @throws SandboxStartError 'port' when the SMTP port is in use.
 */
export async function registerMail(app: Hono, ctx: SandboxContext): Promise<MailPart> {
  const messages = openMessageStore(ctx.db);
  const sink = await openSmtpSink(ctx, messages);
  const find = (c: Context): StoredMail | undefined => messages.find(Number(c.req.param('id')));

  app.get('/control/mails', (c) =>
    c.json(
      messages.list(LISTED, c.req.query('to')).map(({ to, subject, text, at }) => ({
        to,
        subject,
        text,
        at: new Date(at).toISOString(),
      })),
    ),
  );
  app.get('/mail', (c) => {
    const to = c.req.query('to');
    return c.html(mailListPage(messages.list(SHOWN, to), ctx.now(), to), 200, PAGE_HEADERS);
  });
  app.get('/mail/:id', (c) => {
    const mail = find(c);
    return mail
      ? c.html(mailPage(mail), 200, PAGE_HEADERS)
      : c.html(mailMissingPage(), 404, PAGE_HEADERS);
  });
  app.get('/mail/:id/html', (c) => {
    const mail = find(c);
    return mail?.html
      ? c.html(`<base target="_blank">${mail.html}`, 200, MESSAGE_HEADERS)
      : c.notFound();
  });
  return { smtpPort: sink.port, close: () => sink.close() };
}

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
};

/** The mail's own HTML runs nothing, loads nothing from elsewhere, and only our page may frame it. */
const MESSAGE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
};

/** The mails received, newest first, of one recipient when `to` is given. */
function mailListPage(mails: readonly StoredMail[], now: number, to?: string): Html {
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
function mailPage(mail: StoredMail): Html {
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

function mailMissingPage(): Html {
  const body = html`<section class="narrow">
    <h1>There’s no email here</h1>
    <p><a href="/mail">See all emails</a></p>
  </section>`;
  return page({ title: 'Not here', body });
}
