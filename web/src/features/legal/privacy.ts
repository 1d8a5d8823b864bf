import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { LegalText } from './legal-page.tsx';

/** Which data are kept, why, and how long (D2, D4, D9). */
export const PRIVACY: LegalText = {
  title: 'Privacy policy',
  summary: `Which data ${PRODUCT_NAME} keeps, why, who else sees them, and how you get or delete them.`,
  sections: [
    {
      heading: 'Who is responsible',
      paragraphs: [
        `The operator of this installation of ${PRODUCT_NAME} decides what happens with your data. Reach them with the contact form on the first page.`,
      ],
    },
    {
      heading: 'What you give us',
      paragraphs: [
        'Name, e-mail address, phone number, time zone and password at sign-up. The password is kept only as an argon2id hash, from which it cannot be read.',
        'The usernames of the accounts you connect. No password of a social network, ever.',
        'Card number and security code pass through our memory for one request on their way to the payment gateway. They are not stored or logged. We keep the gateway’s token, the brand, the last digits, the name and the expiry date, so that you recognise the card. The billing address goes to the gateway only.',
        'What you write to support travels as a mail and is kept in the mailbox of support.',
      ],
    },
    {
      heading: 'What arises by itself',
      paragraphs: [
        'Public data of your connected accounts: posts, captions, pictures, counts of likes and comments. Orders and their progress. Charges, refunds and credits. A record of what was changed in your account and when.',
        'Sessions: which browser was signed in and when. Your network address is used to limit abuse and is kept for that only as a keyed hash.',
      ],
    },
    {
      heading: 'Why, and on what ground',
      paragraphs: [
        'To do what you ordered (contract), to keep the books the law asks for (legal duty), and to keep the service safe from abuse (legitimate interest). There is no advertising, no profiling and no sale of data.',
      ],
    },
    {
      heading: 'Cookies and storage in your browser',
      paragraphs: [
        'One cookie keeps you signed in: 30 days with “Keep Me Signed in”, otherwise until the browser closes and at most 12 hours. Unused for 14 days, or 4 hours without “Keep Me Signed in”, it ends sooner. One signed cookie remembers when the sign-up offer began. During the recovery of a password two more bind it to your browser.',
        'The app keeps a copy of what it shows you in your browser, so that it opens without a network. It is wiped when you log out.',
        'No page calls a third party: fonts, pictures and scripts come from here. There is no tracking.',
      ],
    },
    {
      heading: 'Who else receives data',
      paragraphs: [
        'The payment gateway: card, amount and billing address. The delivery provider: the address of the post and the amount of likes, not your name. The social network: a request for the public data of the connected username. The mail server: mails to you.',
      ],
    },
    {
      heading: 'How long',
      paragraphs: [
        'While you have an account. When you delete it, your personal data go; records of payments stay as long as tax law asks, without more than it asks.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'In your account settings you can correct your data, download all of them as one file, see and end signed-in devices, and delete your account. You may object, ask for restriction, and complain to the data protection authority of your country.',
      ],
    },
  ],
};
