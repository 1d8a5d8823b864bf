/** Every cache of pictures begins so; the shell's own cache holds nothing of a user. */
export const IMAGE_CACHE = 'ovation-images';
