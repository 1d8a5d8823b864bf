/** What Windows knows the app by: its notices and its place on the task bar need the packages' own name. */
export const APP_ID = 'app.ovation.desktop';
