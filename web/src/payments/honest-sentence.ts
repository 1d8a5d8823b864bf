/** What stands near every price (D1): said plainly, before anybody pays. */
export const HONEST_SENTENCE =
  'Buying likes is against most networks’ rules, and the network may remove them. Don’t use them to mislead sponsors or buyers.';
