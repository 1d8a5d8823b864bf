/** The browser's own `fetch`: the one place of the web app that reaches for it. */
export const pageFetch: typeof fetch = (input, init) => fetch(input, init);
