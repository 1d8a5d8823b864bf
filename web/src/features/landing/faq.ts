/** What people ask, and true answers (D1). */
export const FAQ: ReadonlyArray<readonly [question: string, answer: string]> = [
  [
    'How soon do likes arrive?',
    'We look at your account again and again; the target is to see a new post within 30 seconds of its upload. At the speed Instant delivery starts right then and spreads over at most 10 minutes. You can also have it spread over 30 minutes to 4 hours.',
  ],
  [
    'Who gives the likes?',
    'Members of the delivery provider’s network who have agreed to it. Each member likes a post once. If fewer members are willing than you ordered, the order ends as Partial and the rest returns to you as credits by itself.',
  ],
  [
    'Do you need my password?',
    'No. We ask for your username and nothing else of your account. It has to be a public professional account (Business or Creator), because those are the ones the network lets us read.',
  ],
  [
    'How many posts are covered?',
    'There is no monthly limit. The first 4 posts of each day, in your time zone, get their likes by themselves. Others can be given likes by hand with credits.',
  ],
  [
    'What about older posts?',
    'Posts from before your subscription get nothing by themselves. With credits you can send likes to any post, old ones too: 1 credit is 1 like, 20 or more at a time.',
  ],
  ['Do videos get views?', 'Yes: as many views as likes, at no charge, on orders by hand too.'],
  [
    'Is every post given the same amount?',
    'Mostly. On about three posts of ten we add 5 to 10 % more, free, and show it as a bonus. You can also set a range of your own, within your plan.',
  ],
  [
    'Can I connect several accounts?',
    'As many as you like, each with a plan, a card charge and receipts of its own. You switch between them on the dashboard.',
  ],
  [
    'Can I change my plan?',
    'At any time. A bigger plan applies at once to likes: you pay its price less the whole days left of the old one, and see the exact total before you agree. A smaller plan begins on the next due date; until then you can keep the one you have.',
  ],
  [
    'How do I cancel, or get my money back?',
    'In your account, without asking anybody: pause from tomorrow for up to 180 days, stop at the end of the period, or stop now (orders under way finish, and nothing is paid back). In the first 30 days of a new subscription you can have your money back with no questions asked, once per account: likes stop at once, all you paid returns less the likes delivered beyond the first 2,500 at your plan’s price and credits of the plan that you have used at 0.4 cents each, you get an answer within 3 to 5 business days, and the money is paid out within 7 to 10 business days.',
  ],
  [
    'How can I pay?',
    'By credit or debit card: Visa, Mastercard, Discover or American Express. Card numbers go to the payment gateway and are not stored here.',
  ],
  [
    'Is buying likes allowed?',
    'It is against the rules of most networks, and the network may remove likes. Do not use them to mislead sponsors or buyers. Your receipts always show delivered and organic likes apart.',
  ],
];
