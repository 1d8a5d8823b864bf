import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { MONEY_BACK_TIMES } from '#shared/domain/money/money-back-words.ts';

/** What a question is about. */
export type FaqGroup = 'likes' | 'accounts' | 'plans' | 'app';

/** What people ask, and true answers (D1). */
export const FAQ: ReadonlyArray<readonly [question: string, answer: string, group: FaqGroup]> = [
  [
    'How soon do likes arrive?',
    `We check your account around the clock. The target is to detect a new post within ${DETECTION_TARGET_SECONDS} seconds. At Instant speed, delivery starts right then and takes at most 10 minutes. You can also spread it over 30 minutes to 4 hours.`,
    'likes',
  ],
  [
    'Where do the likes come from?',
    'From members of our delivery network who opted in. Each member likes a post once. If too few are available, the order ends as Partial. What you paid for the rest comes back as credits.',
    'likes',
  ],
  [
    'Do you need my password?',
    'No. We only need your username. It has to be a public professional account (Business or Creator), because those are the ones Instagram lets us read.',
    'accounts',
  ],
  [
    'How many posts are covered?',
    `There’s no monthly limit. The first ${AUTOMATIC_POSTS_PER_DAY} posts of each day, in your plan’s time zone, get likes automatically. Use credits for the others.`,
    'likes',
  ],
  [
    'What about older posts?',
    'Older posts don’t get automatic likes. With credits you can send likes to any post: 1 credit is 1 like, 20 or more at a time.',
    'likes',
  ],
  [
    'Do videos get views?',
    'Yes. Every video gets one free view per like, on credit orders too.',
    'likes',
  ],
  [
    'Does every post get the same amount?',
    'Mostly. On about three posts in ten we add 5 to 10% more, free, and show it as a bonus. You can also set your own range, within your plan.',
    'likes',
  ],
  [
    'Can I connect several accounts?',
    'As many as you like. Each has its own plan, charges and receipts. You switch between them on the dashboard.',
    'accounts',
  ],
  [
    'Can I change my plan?',
    'Any time. A bigger plan applies right away. You pay its price minus the whole days left on the old one, and you see the exact total first. A smaller plan starts on the next due date. Until then, you can keep the one you have.',
    'plans',
  ],
  [
    'How do I cancel, or get my money back?',
    `In your account, in two clicks. Pause from tomorrow for up to 180 days, stop at the end of the period, or stop now. If you stop now, orders in progress finish and nothing is refunded. In the first 30 days of a new subscription you can get your money back, no questions asked, once per account. Likes stop right away. We return all you paid, minus likes beyond the first 2,500 at your plan’s price. Credits from the plan that you’ve used cost 0.4 cents each. ${MONEY_BACK_TIMES}`,
    'plans',
  ],
  [
    'How can I pay?',
    'With a credit or debit card: Visa, Mastercard, Discover or American Express. Your card number goes to the payment gateway and is never stored here.',
    'plans',
  ],
  [
    'Is buying likes allowed?',
    'It’s against most networks’ rules, and the network may remove likes. Don’t use them to mislead sponsors or buyers. Your receipts always show delivered and organic likes apart.',
    'likes',
  ],
];
