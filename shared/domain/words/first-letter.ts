/** As a sentence begins. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** As it goes on within a sentence. */
export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
