import type { ParsedMutationArgs } from '#shared/sync/mutations.ts';
import type { OutboxItem } from '../local-db/outbox-item.ts';

/** The changes that can be made without network, as they stand in the outbox. */
export type Action =
  | { name: 'orderLikes'; args: ParsedMutationArgs<'orderLikes'> }
  | { name: 'saveDeliverySettings'; args: ParsedMutationArgs<'saveDeliverySettings'> }
  | { name: 'switchAccount'; args: ParsedMutationArgs<'switchAccount'> }
  | { name: 'setPreferences'; args: ParsedMutationArgs<'setPreferences'> };

const NAMES: ReadonlySet<string> = new Set<Action['name']>([
  'orderLikes',
  'saveDeliverySettings',
  'switchAccount',
  'setPreferences',
]);

/** What an outbox item does; undefined for one that another version of the app has queued. */
export function actionOf({ name, args }: Pick<OutboxItem, 'name' | 'args'>): Action | undefined {
  return NAMES.has(name) ? ({ name, args } as unknown as Action) : undefined;
}

/** Whether a later change makes an earlier one, that was not sent yet, needless. */
export function replaces(later: Action, earlier: Action): boolean {
  switch (later.name) {
    case 'orderLikes':
      return false;
    case 'saveDeliverySettings':
      return earlier.name === later.name && earlier.args.igId === later.args.igId;
    case 'switchAccount':
      return earlier.name === later.name;
    case 'setPreferences':
      // The whole list is sent, so the last one says it all.
      return earlier.name === later.name && isSubset(earlier.args, later.args);
    default:
      return later satisfies never;
  }
}

const isSubset = (few: object, many: object): boolean =>
  Object.keys(few).every((name) => Object.hasOwn(many, name));
