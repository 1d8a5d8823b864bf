import type { ReactNode } from 'react';
import type { Action } from '#shared/domain/people/may.ts';
import { useMay } from './use-may.ts';

/** What isn't theirs to do isn't there. */
export function OnlyFor({ action, children }: { action: Action; children: ReactNode }) {
  return useMay(action) ? children : null;
}
