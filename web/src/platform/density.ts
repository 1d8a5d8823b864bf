import type { Platform } from '#shared/platform.ts';

/** How close the rows of tables stand. */
export type Density = 'comfortable' | 'compact';

const KEY = 'ovation-density';

export function readDensity({ storage }: Pick<Platform, 'storage'>): Density {
  return storage.read(KEY) === 'compact' ? 'compact' : 'comfortable';
}

/** Keeps the choice and shows it at once. */
export function chooseDensity({ storage }: Pick<Platform, 'storage'>, density: Density): void {
  storage.write(KEY, density);
  showDensity(density);
}

/** After a log-out the next person starts with the usual one. */
export function forgetDensity({ storage }: Pick<Platform, 'storage'>): void {
  storage.remove(KEY);
  showDensity('comfortable');
}

export function showDensity(density: Density): void {
  document.documentElement.dataset['density'] = density;
}
