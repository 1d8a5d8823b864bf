import type { ScopeKind } from '../contract/scope.ts';
import type { EntityName } from './entities.ts';

/** The entities of each kind of scope, in the order in which a snapshot brings them. */
export const SCOPE_ENTITIES = {
  w: ['account', 'post', 'order'],
  b: ['wallet', 'transaction', 'ledger'],
  u: ['user', 'device'],
} as const satisfies Record<ScopeKind, readonly EntityName[]>;
