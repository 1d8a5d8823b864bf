import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { LONG_CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';
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
      `Choose a plan, then post as usual. We aim to spot each new post within ${DETECTION_TARGET_SECONDS} seconds. Its likes come from people who opted in.`,
      'We never ask for your Instagram password. If anyone does in our name, it isn’t us.',
    ],
    action: { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
  };
}

const LONGER =
  'It’s longer than usual because several codes were requested and not used. A longer code can’t be guessed.';

/** The mail with the code that lets a forgotten password be replaced. */
export function recoveryCodeMail(code: string, minutes: number): MailContent {
  return {
    subject: `Your ${PRODUCT_NAME} code`,
    heading: `Your code is ${code}`,
    paragraphs: [
      `Enter it in the browser where you asked for it. It works once and is good for ${minutes} minutes.`,
      ...(code.length === LONG_CODE_LENGTH ? [LONGER] : []),
      'Didn’t ask for it? You can ignore this email: nobody can change your password without the code. We never ask for it by phone or email.',
    ],
  };
}

/** Tells the customer that somebody, hopefully they, set a new password. */
export function passwordChangedMail(supportEmail: string): MailContent {
  return {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'You’ve been logged out on every other browser and device.',
      `If this was you, you’re all set. If not, choose “Forgot Password ?” on the login page right away, and write to ${supportEmail}.`,
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
      `Reply to: ${ticket.email}`,
      ...ticket.message.split(/\n{2,}/).filter((part) => part.trim() !== ''),
      `Ticket ${ticket.ticketId}`,
    ],
    because: `You’re getting this email because questions to ${PRODUCT_NAME} go to this address.`,
  };
}
