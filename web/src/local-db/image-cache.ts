/** Every cache of pictures begins so; the shell's own cache holds nothing of a user. */
export const IMAGE_CACHE = 'ovation-images';
/** Pictures of accounts that are kept for offline. */
export const PINNED_IMAGE_CACHE = `${IMAGE_CACHE}-pinned`;
