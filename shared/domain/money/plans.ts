/** A monthly plan (S§9): `likes` per new post, as many views on videos. */
export interface Plan {
  /** 1-based plan number; on the wire `package`, `packageIndex`, `packageValue`, `accountPackageId`. */
  number: number;
  likes: number;
  /** Likes as text, e.g. "1,000". */
  description: string;
  priceCents: number;
  /** Price as text, e.g. "17.00". */
  price: string;
  /** Price in dollars. */
  priceVal: number;
}

const LIKES_AND_CENTS: ReadonlyArray<readonly [likes: number, cents: number]> = [
  [50, 999],
  [100, 1700],
  [250, 2400],
  [500, 4800],
  [1000, 7500],
  [1500, 9900],
  [3000, 18_900],
  [5000, 30_000],
  [10_000, 45_000],
];

export const PLANS: readonly Plan[] = LIKES_AND_CENTS.map(([likes, priceCents], index) => ({
  number: index + 1,
  likes,
  description: likes.toLocaleString('en-US'),
  priceCents,
  price: (priceCents / 100).toFixed(2),
  priceVal: priceCents / 100,
}));

/** Sign-up offers plans 1 to this one. */
export const LAST_SIGNUP_PLAN = 7;

export function findPlan(number: number): Plan | undefined {
  return PLANS[number - 1];
}

/** The plan of a number that was checked before. */
export function getPlan(number: number): Plan {
  const plan = findPlan(number);
  if (!plan) throw new Error(`No plan ${number}`);
  return plan;
}

/** A dearer plan begins at once, any other one on the next due date (D5). */
export const isUpgrade = (oldPriceCents: number, newPriceCents: number): boolean =>
  newPriceCents > oldPriceCents;
