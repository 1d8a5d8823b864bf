/** What somebody looks for in the log of what was done. */
export const ACTIVITY_KINDS = [
  'Accounts',
  'Plans',
  'Likes',
  'Payments',
  'Team and clients',
  'Log-ins',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Shown at once. */
export const ACTIVITY_PAGE = 50;
