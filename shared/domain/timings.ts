/** Times of the screens, in milliseconds (S§9). */
export const DIALOG_MS = 3000;
export const SIGNUP_REDIRECT_MS = 2500;
export const TOAST_MS = 5000;
export const RESTORE_TIMEOUT_MS = 5000;
export const PRICING_AUTOPLAY_MS = 5000;
export const SLIDE_MS = 600;
