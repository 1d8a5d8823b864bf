import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { MONEY_BACK_TIMES } from '#shared/domain/money/money-back-words.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { LegalText } from './legal-page.tsx';

/** What customers and the operator agree to (D1, D4-D7). */
export const TERMS: LegalText = {
  title: 'Terms of service',
  summary: `What ${PRODUCT_NAME} does for you, what it costs, how you leave, and what it won’t do.`,
  sections: [
    {
      heading: 'What the service is',
      paragraphs: [
        `${PRODUCT_NAME} watches the public professional accounts you connect. When a new post appears, it orders likes for it from a delivery provider whose members opted in. Videos get one free view per like.`,
        `Automatic likes go to the first ${AUTOMATIC_POSTS_PER_DAY} posts of each day, in the time zone of your subscription. There is no monthly limit. With credits you can send likes to any post: 1 credit is 1 like, 20 or more at a time.`,
        'We only need your username, never your password. We never act in your name on any account.',
      ],
    },
    {
      heading: 'Rules of the networks',
      paragraphs: [
        'Buying likes is against the rules of most social networks. A network may remove likes, hide them, or restrict an account. Whether to take that risk is up to you.',
        'Don’t use likes to mislead sponsors, buyers or voters. In many countries that is unlawful. Your account counts delivered and organic likes separately, so you can always tell which are which, and tell others.',
        `${PRODUCT_NAME} is not endorsed by, or connected with, Instagram or any other social network.`,
      ],
    },
    {
      heading: 'Your account',
      paragraphs: [
        'You must be old enough to enter into a contract, sign up with your own email address, and keep your password to yourself. Connect accounts that are yours, or whose owner asked you to.',
        'The username of a connected account may be changed once every 48 hours. A plan can move to another account once per paid month.',
        'One Instagram account has one plan at a time. You can prove that it’s yours with a code in its bio. Together with a paid checkout, that ends anyone else’s claim. Their plan is then paused for up to 180 days, until it gets another account. No money moves. The account’s money-back right is free again, once.',
        'You can remove an account without a running plan. We keep its payments and receipts. Add it again, and its posts and settings come back.',
      ],
    },
    {
      heading: 'Delivery',
      paragraphs: [
        `The target is to detect a new post within ${DETECTION_TARGET_SECONDS} seconds. When Instagram slows us down it takes longer, and we show you the real figure. At Instant speed, likes arrive within 10 minutes. Other speeds take the time they’re named for.`,
        'We never order more likes than members are willing to give. What we can’t deliver comes back within the hour as credits. For a credit order, that’s 1 credit for each missing like. For plan likes, it’s what they cost in your plan, at 0.4 cents a credit. If a post is deleted or its account turns private, its order ends. Bought credits then come back, but plan likes don’t.',
      ],
    },
    {
      heading: 'Prices and payment',
      paragraphs: [
        'You see prices in US dollars before you pay. A subscription is charged when it starts and then once a month, on the same day. In shorter months, that’s the last day. We email you three days before each charge.',
        'Each payment covers one month, counted in whole days in your plan’s time zone. A due date is the first day of the next month. If you don’t pay for another month, the plan’s first and last day share 4 posts.',
        'Credit packages are charged once. Bonus credits can be spent after your first payment and are not paid out.',
        'If a renewal is declined, we try again after 1, 3 and 5 days. Until the first of these, up to 4 new posts get their likes, once per account in 365 days. Other posts wait for the payment. Once it goes through, waiting posts get their likes: the first 4 of each day. Each whole day without an order moves the next charge one day later. If no attempt succeeds, the subscription ends, waiting posts get nothing, and you owe nothing.',
        'If you dispute a payment at your bank, the plan it paid for stops, and so do its orders. Credits from that payment that you haven’t used leave your balance. Until the bank decides, the card you paid with can’t be used here and no money goes back. If the payment stands, the credits come back, the card can be used again, and you can start the plan again. If the bank returns the money to you, that card can no longer be used here.',
      ],
    },
    {
      heading: 'Changing the plan',
      paragraphs: [
        'A more expensive plan applies right away. You pay its price minus the price of the whole days left after today in the month you’ve paid. We add days with likes that no payment has covered. You see the exact total, at least $0.50, before you agree. The next month counts from then.',
        'A plan that costs the same or less starts on the day of the next due date. Nothing changes until then, and nothing is charged or refunded. Until then, you can keep the plan you have.',
      ],
    },
    {
      heading: 'Leaving, and your money back',
      paragraphs: [
        'You can pause, stop at the end of the period, or stop now, all in your account. After canceling, there are no further charges. A pause starts the next day and lasts 1 to 180 days, at most 6 times in 365 days. Each whole paused day moves the next charge one day later.',
        'Service credit: if we can’t serve your account for more than 12 hours of a day without orders, your next charge comes one day later. If the account itself can’t be read, for example because it’s private, at most 3 days count per period.',
        `In the first 30 days of a new subscription you may ask for your money back without giving a reason, once per connected account. Likes stop right away. We return everything that subscription charged, minus automatic likes delivered beyond the first 2,500. Those 2,500 are free once per card. Each post beyond that costs the price of its plan divided by 4 times the days of the period, in proportion to what was delivered. Bonus likes cost nothing. We take back credits that its orders gave, and a bonus that only it unlocked. Those already used cost 0.4 cents each. When we approve the request, we add back what orders in progress didn’t deliver. ${MONEY_BACK_TIMES}`,
        'These terms don’t limit rights that the law of your country gives you, such as a right of withdrawal.',
      ],
    },
    {
      heading: 'Liability and changes',
      paragraphs: [
        'We do what these terms say with reasonable care. We don’t promise reach, followers, sales or any other effect of likes. Nothing here limits liability that the law doesn’t allow us to limit.',
        'We email you changes to these terms at least 30 days before they apply. If you don’t agree, you can leave before that day.',
      ],
    },
    {
      heading: 'Questions',
      paragraphs: [
        'Write to us with the contact form on the home page, or in your account settings. We reply by email.',
      ],
    },
  ],
};
