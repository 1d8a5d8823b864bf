const BROWSERS = [
  ['Ovation desktop app', /Electron\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
] as const;

/** A browser as people call it, e.g. "Chrome on Windows"; the desktop app says itself who it is. */
export function deviceName(userAgent: string): string {
  const find = (names: ReadonlyArray<readonly [string, RegExp]>): string | undefined =>
    names.find(([, form]) => form.test(userAgent))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown browser';
}
