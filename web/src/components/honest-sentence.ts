/** What stands near every price (D1): said plainly, before anybody pays. */
export const HONEST_SENTENCE =
  'Buying likes is against the rules of most networks, and the network may remove them. Do not use them to mislead sponsors or buyers.';
