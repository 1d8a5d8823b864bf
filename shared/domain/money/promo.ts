/** Credits a registration inside the promo window gets (S§9). */
export const SIGNUP_BONUS_CREDITS = 500;
/** The window of a browser, from its first view of the offer (D8). */
export const PROMO_WINDOW_MS = 300_000;
/** A registration that was sent in time may arrive so much later. */
export const PROMO_GRACE_MS = 10_000;
