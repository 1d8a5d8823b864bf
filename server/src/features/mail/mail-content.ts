import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { MailContent } from './mail-layout.ts';

/** The mail after registration. */
export function welcomeMail(name: string, igUsername: string, publicUrl: string): MailContent {
  return {
    subject: `Welcome to ${PRODUCT_NAME}`,
    heading: `Welcome, ${name}`,
    paragraphs: [
      `Your account is ready and @${igUsername} is connected to it.`,
      'Once you have chosen a plan, every new post is detected within 30 seconds and receives its likes from members of the delivery provider’s network who have agreed to it.',
      'We never ask for the password of your social network. If somebody does in our name, it is not us.',
    ],
    action: { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
  };
}
