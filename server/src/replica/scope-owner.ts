import { type EntityName } from '#shared/sync/entities.ts';
import { type Scope, scopeKind, scopeOf } from '#shared/contract/scope.ts';
import { SCOPE_ENTITIES } from '#shared/sync/scope-entities.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { may } from '#shared/domain/people/may.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findMembership } from '#server/identity/members/membership.repository.ts';
import { personOf } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';

/** A scope and the workspace whose rows it holds. */
export interface ScopeOwner {
  scope: Scope;
  workspaceId: WorkspaceId;
}

/** Which scopes a session may follow, at the moment. */
export type ScopesOf = (session: Pick<Session, 'workspaceId' | 'userId'>) => Promise<ScopeOwner[]>;

/**
 * What a member sees: the workspace, or of it the accounts of the clients they are granted, which is a scope of
 * theirs (`sync_flush_shares`); its money where the role may read that; and what is the person's own in it. Nothing of
 * whoever is no member. A scope that goes missing here is dropped from the replicas.
 */
export function scopesOfMember({ database }: Pick<Deps, 'database'>): ScopesOf {
  return async (asking) => {
    const { workspaceId } = asking;
    const member = await findMembership(database.db, asking);
    if (!member) return [];
    const seesMoney = may(personOf(member), 'readMoney');
    const scopes = [
      scopeOf('w', member.all_clients ? workspaceId : member.id),
      ...(seesMoney ? [scopeOf('b', workspaceId)] : []),
      scopeOf('u', member.id),
    ];
    return scopes.map((scope) => ({ scope, workspaceId }));
  };
}

export function entitiesOf({ scope }: ScopeOwner): readonly EntityName[] {
  return SCOPE_ENTITIES[scopeKind(scope)];
}
