/**
 * Header of a request for a picture that is only to be kept, not shown. Whoever keeps pictures answers
 * without a body: 204 done, 507 no room. An answer with a picture means that nobody keeps any.
 */
export const KEEP_PICTURE = 'x-keep-picture';

/** `usual`: as one that was shown; `pinned`: longer than those; `released`: no longer than those. */
export const KEEP_WISHES = ['usual', 'pinned', 'released'] as const;
export type KeepWish = (typeof KEEP_WISHES)[number];
