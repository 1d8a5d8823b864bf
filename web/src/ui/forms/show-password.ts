/** The eye in a password field, reachable by keyboard and named for screen readers. */
export const SHOW_PASSWORD = { 'aria-label': 'Show password', tabIndex: 0 } as const;
