import type { Context, Hono } from 'hono';
import type { MailPart, SandboxContext } from './context.ts';
import { mailListPage, mailMissingPage, mailPage } from './site/mail-page.ts';
import { openMessageStore, type StoredMail } from './mail/message-store.ts';
import { openSmtpSink } from './mail/smtp-sink.ts';

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
