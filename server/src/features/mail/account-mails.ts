import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { LONG_CODE_LENGTH } from '#shared/domain/recovery-code.ts';
import type { MailContent } from './mail-layout.ts';

/**
 * The mail after registration. Nobody has shown yet that the address is theirs, so it has no word that
 * was typed at sign-up: a stranger could write anything to anybody with it.
 */
export function welcomeMail(publicUrl: string): MailContent {
  return {
    subject: `Welcome to ${PRODUCT_NAME}`,
    heading: `Welcome to ${PRODUCT_NAME}`,
    paragraphs: [
      'Your account is ready.',
      'Once you have chosen a plan, every new post is detected within 30 seconds and receives its likes from members of the delivery provider’s network who have agreed to it.',
      'We never ask for the password of your social network. If somebody does in our name, it is not us.',
    ],
    action: { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
  };
}

const LONGER =
  'It is longer than usual because several codes were asked for and not used. A longer code can’t be guessed.';

/** The mail with the code that lets a forgotten password be replaced. */
export function recoveryCodeMail(code: string, minutes: number): MailContent {
  return {
    subject: `Your ${PRODUCT_NAME} code`,
    heading: `Your code is ${code}`,
    paragraphs: [
      `Enter it on the page where you asked for it. It works once, for ${minutes} minutes, in that browser only.`,
      ...(code.length === LONG_CODE_LENGTH ? [LONGER] : []),
      'If you did not ask for it, you need not do anything: nobody can change your password without this code. We never ask for it by phone or mail.',
    ],
  };
}

/** Tells the customer that somebody, hopefully they, set a new password. */
export function passwordChangedMail(supportEmail: string): MailContent {
  return {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'Every other browser and device that was signed in has been signed out.',
      `If it was you, you need not do anything. If it was not, set a new password at once with “Forgot your password?” on the log-in page, and write to ${supportEmail}.`,
    ],
  };
}

/** What support gets: a customer's or visitor's question. */
export function supportTicketMail(ticket: {
  ticketId: string;
  name: string;
  email: string;
  message: string;
}): MailContent {
  return {
    subject: `Support ticket ${ticket.ticketId}`,
    heading: `Question from ${ticket.name}`,
    paragraphs: [
      `Answer to: ${ticket.email}`,
      ...ticket.message.split(/\n{2,}/).filter((part) => part.trim() !== ''),
      `Ticket ${ticket.ticketId}`,
    ],
  };
}
