import { type Action, whoMay } from '#shared/domain/people/may.ts';
import { useClientState } from '#web/platform/services.ts';
import { userMay } from './user-may.ts';

/** Whether the person may do something in the workspace they act in. */
export function useMay(action: Action): boolean {
  return useClientState(({ user }) => userMay(user, action));
}

/** "Only an owner or a manager of this workspace can see payments." */
export function onlySentence(action: Action, what: string): string {
  return `${whoMay(action)} of this workspace can ${what}.`;
}
