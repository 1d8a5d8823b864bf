import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { LegalText } from './legal-page.tsx';

/** What customers and the operator agree to (D1, D4-D7). */
export const TERMS: LegalText = {
  title: 'Terms of service',
  summary: `What ${PRODUCT_NAME} does for you, what it costs, how you leave, and what it will not do.`,
  sections: [
    {
      heading: 'What the service is',
      paragraphs: [
        `${PRODUCT_NAME} watches the public professional accounts you connect. When a new post appears, it orders likes for it from a delivery provider, whose members have agreed to give them. Videos get as many views as likes at no charge.`,
        'Automatic likes go to the first 4 posts of each day in the time zone of your subscription. There’s no monthly limit. With credits you can send likes by hand to any post; 1 credit is 1 like, 20 or more at a time.',
        'We ask for the username of an account, never for its password, and we act on no account in your name.',
      ],
    },
    {
      heading: 'Rules of the networks',
      paragraphs: [
        'Buying likes is against the rules of most social networks. A network may remove likes, hide them, or restrict an account. You decide whether to take that risk.',
        'Do not use likes to mislead sponsors, buyers or voters. In many countries that is unlawful. Delivered and organic likes are shown apart in your account so that you can always tell them, and others, the truth.',
        `${PRODUCT_NAME} is not endorsed by, or connected with, Instagram or any other social network.`,
      ],
    },
    {
      heading: 'Your account',
      paragraphs: [
        'You must be of age to make a contract, give an e-mail address that is yours, and keep your password to yourself. Connect accounts that are yours or whose owner has asked you to.',
        'The username of a connected account may be changed once every 48 hours. A plan can move to another network account once in a month paid for.',
        'One network account has one plan at a time. Whose it is can be shown with a code in its profile text: together with a paid checkout it ends the claim of anybody else. Their plan is then paused for up to 180 days until it is given another account; no money moves, and the money-back right of the network account is free again, once.',
        'An account without a running plan can be removed. Payments and receipts stay in the books; adding it again brings its posts and settings back.',
      ],
    },
    {
      heading: 'Delivery',
      paragraphs: [
        'The target is to detect a new post within 30 seconds. When a network slows us down it takes longer, and you are shown the real figure. At the speed Instant likes are spread over at most 10 minutes; other speeds take the time they are named for.',
        'We never order more likes than members are willing to give. What cannot be delivered returns within the hour as credits. A post that is deleted ends its order, and the rest returns.',
        'On a local day on which your account could not be served for more than 12 hours, the date of your next charge moves back by one day.',
      ],
    },
    {
      heading: 'Prices and payment',
      paragraphs: [
        'Prices are shown in US dollars before you pay. A subscription is charged when it begins and then once a month, on the same day, or on the last day of a shorter month. Three days before each charge you get a mail.',
        'A month pays for as many local days as it has. The day of a due date is the first day of the next month. Where no month follows, the first and the last day of the plan share 4 posts.',
        'Credit packages are charged once. Bonus credits can be spent after a first payment and are not paid out.',
        'A declined renewal is tried again after 1, 3 and 5 days. Up to 4 posts get their likes before it is paid, until the first of these and once per account in 365 days; the others wait for the payment. Once it is paid, waiting posts get their likes, the first 4 of each day, and whole days without an order move the next charge. If no attempt succeeds the subscription ends, waiting posts get nothing, and nothing is owed.',
      ],
    },
    {
      heading: 'Changing the plan',
      paragraphs: [
        'A dearer plan applies at once to likes. You pay its price less the price of the whole days left after today in the month you have paid. Days with likes that no month has paid for are added. You are shown the exact total, at least $0.50, before you agree. The next month counts from then.',
        'A plan that costs the same or less begins on the day of the next due date. Until then nothing changes, and nothing is paid or given back. You can keep your plan until then.',
      ],
    },
    {
      heading: 'Leaving, and your money back',
      paragraphs: [
        'You can pause, stop at the end of the period, or stop now, in your account and without asking anybody. After cancelling there is no further charge. A pause lasts from the next day for 1 to 180 days, at most 6 times in 365 days; its whole days move the next charge.',
        'Service credit: a whole day on which your account could not be served for more than 12 hours, and which has no automatic order, moves the next charge by one day. Where the account itself could not be read, for example because it was private, at most 3 days a period count.',
        'In the first 30 days of a new subscription you may ask for your money back without giving a reason, once per connected network account. Likes stop at once. All charges of that subscription return, less the automatic likes delivered beyond the first 2,500 (these are free once per card), each post at the price of the plan divided by 4 times the days of the period, in proportion delivered; bonus likes cost nothing. Credits that its orders gave and a bonus that only it unlocked are taken back; those already used cost 0.4 cents each. What orders under way no longer deliver is added when the request is approved, on the third day at the latest. You get an answer within 3 to 5 business days, and the money is paid out within 7 to 10 business days.',
        'Rights that the law of your country gives you, such as a right of withdrawal, stand beside this and are not limited by it.',
      ],
    },
    {
      heading: 'Liability and changes',
      paragraphs: [
        'We do what these terms say with reasonable care. We do not promise reach, followers, sales or any other effect of likes. Nothing here limits liability that the law does not allow to be limited.',
        'Changes to these terms are announced by mail at least 30 days before they apply. Whoever does not agree can leave before that day.',
      ],
    },
    {
      heading: 'Questions',
      paragraphs: [
        'Write to us with the contact form on the first page, or in your account settings. The answer comes by mail.',
      ],
    },
  ],
};
