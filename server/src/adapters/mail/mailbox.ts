import { isEmail } from '#shared/domain/people/email.ts';

/**
 * Whether a text is one address to send to and nothing else. Unlike a customer's, an operator's own may
 * be at a host without a dot: `support@localhost`.
 */
export function isMailbox(text: string): boolean {
  return isEmail(text) || isEmail(`${text}.localdomain`);
}
