import { type OperatorIdentity, operatorSentence } from '#shared/domain/people/operator.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import { unsubscribeHeaders } from './unsubscribe-link.ts';

/** What a mail says, before it becomes plain text and HTML. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Why somebody gets it who needn’t have an account. */
  because?: string;
  /** Stops mails of this kind. */
  unsubscribeUrl?: string;
}

/** Why somebody gets a mail that a customer has sent to an address. */
export const ENTERED_BY_CUSTOMER =
  'You’re getting this email because a customer entered your address.';

/** The one layout of all mails: the same words as plain text and as simple HTML. */
export function layOutMail(
  content: MailContent,
  sender: { supportEmail: string; operatorIdentity: OperatorIdentity | undefined },
): Pick<Mail, 'subject' | 'text' | 'html' | 'headers'> {
  const {
    because = `You’re getting this email because you have an account with ${PRODUCT_NAME}.`,
  } = content;
  const closing = `${because} Questions? Write to ${sender.supportEmail}${imprint(sender.operatorIdentity)}`;
  const { unsubscribeUrl: url } = content;
  const foot = url === undefined ? [] : [`Unsubscribe: ${url}`];
  const action = content.action ? [`${content.action.label}: ${content.action.url}`] : [];
  return {
    subject: content.subject,
    text: `${[content.heading, ...content.paragraphs, ...action, closing, ...foot].join('\n\n')}\n`,
    html: layOutHtml(content, closing),
    ...(url !== undefined && { headers: unsubscribeHeaders(url) }),
  };
}

/** Who sends it, once that is known. */
function imprint(operator: OperatorIdentity | undefined): string {
  return operator ? `. ${operatorSentence(operator)}` : '';
}

function layOutHtml(content: MailContent, closing: string): string {
  const paragraphs = content.paragraphs.map((words) => `<p>${escapeHtml(words)}</p>`).join('\n');
  const action = content.action
    ? `<p><a href="${escapeHtml(content.action.url)}" style="display:inline-block;padding:12px 20px;background:#7a1f2b;color:#faf7f2;text-decoration:none;border-radius:4px">${escapeHtml(content.action.label)}</a></p>`
    : '';
  const foot =
    content.unsubscribeUrl === undefined
      ? ''
      : `<br><a href="${escapeHtml(content.unsubscribeUrl)}" style="color:#6b615a">Unsubscribe</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;background:#faf7f2;color:#1b1714;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px 24px">
<p style="color:#7a1f2b;font-weight:600">${escapeHtml(PRODUCT_NAME)}</p>
<h1 style="font-size:24px;line-height:1.25">${escapeHtml(content.heading)}</h1>
${paragraphs}
${action}
<p style="color:#6b615a;font-size:14px;border-top:1px solid #e5ded4;padding-top:16px">${escapeHtml(closing)}${foot}</p>
</div></body></html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
