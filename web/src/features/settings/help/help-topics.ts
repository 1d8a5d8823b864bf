import { FAQ, type FaqGroup } from '#web/ui/words/faq.ts';

/** One thing a customer asks, and its answer. */
export interface HelpTopic {
  group: FaqGroup;
  question: string;
  answer: string;
}

/** How the app is used; each names its button as the screen does. */
const IN_THE_APP: readonly HelpTopic[] = [
  {
    group: 'likes',
    question: 'What does the ring around a picture mean?',
    answer:
      'It’s the order for that post. A full circle means everything you ordered has arrived. A post without an order has no ring.',
  },
  {
    group: 'plans',
    question: 'Where do I see what I paid for?',
    answer:
      'Open a post on the dashboard. Its receipt shows what was ordered, what arrived and when, with organic likes counted apart. Payments are under Billing.',
  },
  {
    group: 'likes',
    question: 'How do I send likes to one post?',
    answer:
      'Press “Extra likes” on the post, or in its receipt, and type how many. You pay with credits. To buy more, press the number of credits at the top of the page.',
  },
  {
    group: 'app',
    question: 'Can I use it without a connection?',
    answer:
      'Yes. Posts, receipts and accounts are kept on this device. What you change or order waits in a list. We’ll send it once you’re back online.',
  },
  {
    group: 'plans',
    question: 'How do I pause or stop automatic likes?',
    answer:
      'Under Subscriptions, press Manage next to the account. “Manage subscription” changes, pauses or stops the plan. “Delivery settings” sets how fast likes arrive, or turns automatic likes off.',
  },
  {
    group: 'plans',
    question: 'How do I change the card?',
    answer: 'Under Billing, press “Replace card”. The new card pays for all your plans.',
  },
  {
    group: 'accounts',
    question: 'My account was renamed, or can’t be read. What now?',
    answer:
      'Under Subscriptions, press Manage next to the account, then “Change username”. If it’s private, make it a public Business or Creator account, and likes resume automatically.',
  },
  {
    group: 'app',
    question: 'I lost a device. What should I do?',
    answer:
      'Under Account settings, find it in “Where you’re logged in” and press “Log out”. From then on, it shows nothing of yours. Then change your password.',
  },
  {
    group: 'app',
    question: 'How do I download or delete my data?',
    answer:
      'Under Account settings, “Download my data” gives you everything in one file. “Delete account” tells you what that means before it deletes anything.',
  },
  {
    group: 'app',
    question: 'Are there keyboard shortcuts?',
    answer:
      'Yes. Press Ctrl+K, or ⌘K on a Mac, and start typing a page, an action, an account or a caption. For all other shortcuts, see below, or press “?” on any page.',
  },
];

/** What questions are about, in the order of the page. */
export const HELP_GROUPS: ReadonlyArray<readonly [FaqGroup, title: string]> = [
  ['likes', 'Likes'],
  ['plans', 'Plans and payments'],
  ['accounts', 'Instagram accounts'],
  ['app', 'This app'],
];

/** Everything the help page knows: the app first, then what the landing page answers too. */
export const HELP: readonly HelpTopic[] = [
  ...IN_THE_APP,
  ...FAQ.map(([question, answer, group]) => ({ group, question, answer })),
];

/** Those that have every typed word in question or answer; those with one in the question come first. */
export function findHelp<Topic extends Pick<HelpTopic, 'question' | 'answer'>>(
  topics: readonly Topic[],
  typed: string,
): Topic[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string, word: string): boolean => text.toLowerCase().includes(word);
  const found = topics.filter(({ question, answer }) =>
    words.every((word) => has(`${question} ${answer}`, word)),
  );
  const isAsked = ({ question }: Topic): boolean => words.some((word) => has(question, word));
  return [...found.filter(isAsked), ...found.filter((topic) => !isAsked(topic))];
}
