import 'fake-indexeddb/auto';

// A wide screen on which nothing moves, as for people who prefer that: what opens is there at once.
globalThis.matchMedia = (query: string): MediaQueryList =>
  Object.assign(new EventTarget(), {
    matches: /prefers-reduced-motion|min-width/.test(query),
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

// Without layout nothing has a width, and what has none is not drawn.
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { get: () => globalThis.innerWidth });
