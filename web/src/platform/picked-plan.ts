import type { Platform } from '#shared/platform.ts';

const KEY = 'ovation-picked-plan';
type Storage = Pick<Platform, 'storage'>;

/** Keeps the plan that somebody picked and didn't pay yet, for when they come back to the checkout. */
export function keepPickedPlan({ storage }: Storage, userId: string, planNumber: number): void {
  storage.write(KEY, `${userId} ${planNumber}`);
}

/** What they picked last on this device, as the text of its number. */
export function readPickedPlan({ storage }: Storage, userId: string): string | undefined {
  const [ofUserId, planNumber] = (storage.read(KEY) ?? '').split(' ');
  return ofUserId === userId ? planNumber : undefined;
}

/** After the payment, and after a log-out. */
export function forgetPickedPlan({ storage }: Storage): void {
  storage.remove(KEY);
}
