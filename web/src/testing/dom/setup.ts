import 'fake-indexeddb/auto';

// Nothing moves, as for people who wish so: what opens is there at once.
globalThis.matchMedia = (query: string): MediaQueryList =>
  Object.assign(new EventTarget(), {
    matches: query.includes('prefers-reduced-motion'),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

// Another tab leads, so none here ever does.
Object.defineProperty(navigator, 'locks', {
  value: { request: () => new Promise(() => undefined) },
  configurable: true,
});
