/** Has the wall clock of this program stand still. Timers run on. It stands alone: it is sent to workers as text. */
export function stopClock(atMs: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, target) =>
      Reflect.construct(date, given.length === 0 ? [atMs] : given, target) as Date,
    get: (date, key) => (key === 'now' ? () => atMs : (Reflect.get(date, key) as unknown)),
  });
}

// Imported before a program as `still-clock.ts?at=<ms since 1970>` it does so at once.
const at = new URL(import.meta.url).searchParams.get('at');
if (at !== null) stopClock(Number(at));
