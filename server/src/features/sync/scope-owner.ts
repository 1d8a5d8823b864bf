import { SCOPE_ENTITIES, type EntityName } from '#shared/sync/entities.ts';
import { type Scope, scopeKind, scopeOf } from '#shared/sync/scope.ts';
import type { Session } from '../users/session.service.ts';

/** A scope and the workspace whose rows it holds. */
export interface ScopeOwner {
  scope: Scope;
  workspaceId: string;
}

/** Which scopes a session may follow, at the moment. */
export type ScopesOf = (session: Session) => Promise<ScopeOwner[]>;

/**
 * A workspace has one person, who owns it and sees all of it. Where staff see a part, this is the place
 * that says so; a scope that goes missing here is dropped from the local copies.
 */
export const scopesOfOwner: ScopesOf = async ({ workspaceId, userId }) =>
  [scopeOf('w', workspaceId), scopeOf('b', workspaceId), scopeOf('u', userId)].map((scope) => ({
    scope,
    workspaceId,
  }));

export function entitiesOf({ scope }: ScopeOwner): readonly EntityName[] {
  return SCOPE_ENTITIES[scopeKind(scope)];
}
