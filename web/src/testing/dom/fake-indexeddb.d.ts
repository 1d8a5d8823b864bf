/** The package's own types of this entry are not where its list of exports says. */
declare module 'fake-indexeddb/auto';
