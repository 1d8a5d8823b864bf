import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { LegalText } from './legal-page.tsx';

/** Which data are kept, why, and how long (D2, D4, D9). */
export const PRIVACY: LegalText = {
  title: 'Privacy policy',
  summary: `What data ${PRODUCT_NAME} keeps, why, who else sees it, and how you get or delete it.`,
  sections: [
    {
      heading: 'Who is responsible',
      paragraphs: [
        `Whoever runs ${PRODUCT_NAME} decides what happens with your data. Reach them with the contact form on the home page.`,
      ],
    },
    {
      heading: 'What you give us',
      paragraphs: [
        'Name, email address, phone number, time zone and password at sign-up. We keep the password only as an argon2id hash, so no one can read it.',
        'The usernames of the accounts you connect. Never their passwords.',
        'Card number and security code go to the payment gateway. We don’t store or log them. So you can recognize the card, we keep the gateway’s token, the brand, last digits, name and expiration date. The billing address goes to the gateway. We keep it with the card, because your invoices show it.',
        'What you write to support is emailed to us and kept in the support mailbox.',
      ],
    },
    {
      heading: 'What we record as you use it',
      paragraphs: [
        'Public data of your connected accounts: posts, captions, pictures, counts of likes and comments. Orders and their progress. Charges, refunds and credits. A record of what was changed in your account and when.',
        'Sessions: which browser was logged in and when. Your IP address is used to limit abuse, and we keep it for that only as a keyed hash.',
      ],
    },
    {
      heading: 'Why, and on what legal grounds',
      paragraphs: [
        'To do what you ordered (contract), to keep the books the law requires (legal duty), and to prevent abuse (legitimate interest). There are no ads, no profiling and no sale of data.',
      ],
    },
    {
      heading: 'Cookies and storage in your browser',
      paragraphs: [
        'One cookie keeps you logged in: 30 days with “Keep Me Signed in”, otherwise until the browser closes and at most 12 hours. Unused, it ends after 14 days, or after 4 hours without “Keep Me Signed in”. One signed cookie remembers when the sign-up offer began. While you reset a password, two more cookies tie the reset to your browser.',
        'The app keeps a copy of what it shows you in your browser, so it opens offline. Logging out wipes it.',
        'Fonts, pictures and our own scripts come from here. Only where you enter a card can a page also load something else: the payment gateway’s card fields. We don’t track you.',
      ],
    },
    {
      heading: 'Who else receives data',
      paragraphs: [
        'The payment gateway: card, amount and billing address. The delivery provider: the address of the post and the number of likes, not your name. Instagram: a request for the public data of the connected username. The mail server: emails to you.',
        'Push notifications go through your browser’s push service, if you turn them on. They’re encrypted, so it can’t read them. We keep your browser’s address there until you log out or turn them off.',
      ],
    },
    {
      heading: 'How long',
      paragraphs: [
        'While you have an account. When you delete it, your personal data goes. Your email address goes once a last email has told you so. Payment records stay as long as tax law requires. Invoices stay without your name and address, so download yours first.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'In your account settings you can correct your data, download all of it, see and end logged-in devices, and delete your account. You may object, ask for restriction, and complain to your country’s data protection authority.',
      ],
    },
  ],
};
