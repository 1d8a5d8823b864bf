import type { Client } from '#shared/contract/clients.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { type Action } from '#shared/domain/may.ts';
import { CLIENTS_LIMIT } from '#shared/domain/team.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type AuditAction, appendAudit } from '#server/audit/audit.repository.ts';
import { findPerson, moveGrants } from '#server/identity/members/client-grant.repository.ts';
import { getMemberWhoMay, type TeamDeps } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.ts';
import { listAccountIds } from '../accounts/account.repository.ts';
import { seenClients } from '../accounts/account-rights.ts';
import {
  type ClientRow,
  countClients,
  deleteClient,
  findClient,
  findClientByName,
  insertClient,
  listClients,
  moveAccounts,
  setClientOf,
  updateClient,
} from './client.repository.ts';

/** The clients somebody works for: all, or those they are granted. */
export async function viewClients(
  { database: { db } }: Pick<Deps, 'database'>,
  session: Session,
): Promise<Client[]> {
  const person = await findPerson(db, session);
  const seen = person ? seenClients(person) : [];
  const rows = await listClients(db, session.workspaceId, seen);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    accounts: row.accounts,
    archivedAt: row.archived_at?.toISOString() ?? null,
  }));
}

/** One at a time in each workspace, if whoever asks still may then. */
function change(
  deps: TeamDeps,
  session: Session,
  { needs, says }: { needs: Action; says: AuditAction },
  work: (tx: Tx, now: Date) => Promise<string | undefined>,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await getMemberWhoMay(tx, session, needs);
    const now = new Date(deps.clock.now());
    const subject = await work(tx, now);
    await appendAudit(tx, { workspaceId, actor, action: says, now, ...(subject && { subject }) });
  });
}

/** @throws ApiError `not_allowed`, `not_found`, `client_exists`, `too_many_clients` */
export async function saveClient(
  deps: TeamDeps,
  session: Session,
  { clientId, name }: { clientId?: string | undefined; name: string },
): Promise<void> {
  const { workspaceId } = session;
  await change(deps, session, { needs: 'clients', says: 'client_saved' }, async (tx, now) => {
    const known = clientId === undefined ? undefined : await getClient(tx, session, clientId);
    const same = await findClientByName(tx, workspaceId, name);
    if (same && same.id !== known?.id) {
      const message = `You have a client called ${same.name} already.`;
      throw new ApiError('client_exists', message, { fields: { name: message } });
    }
    if (known) {
      await updateClient(tx, known, { name });
      return known.id;
    }
    if ((await countClients(tx, workspaceId)) >= CLIENTS_LIMIT) {
      throw new ApiError(
        'too_many_clients',
        `You can have up to ${CLIENTS_LIMIT.toLocaleString('en-US')} clients. Merge two first.`,
      );
    }
    const id = deps.ids.uuid();
    await insertClient(tx, { workspace_id: workspaceId, id, name, created_at: now });
    return id;
  });
}

/** @throws ApiError `not_allowed`, `not_found` */
export async function mergeClients(
  deps: TeamDeps,
  session: Session,
  { clientId, intoId }: { clientId: string; intoId: string },
): Promise<void> {
  const { workspaceId } = session;
  await change(deps, session, { needs: 'team', says: 'clients_merged' }, async (tx) => {
    const client = await getClient(tx, session, clientId);
    const into = await getClient(tx, session, intoId);
    if (client.id === into.id) {
      throw new ApiError('not_found', 'Please choose another client to merge with.');
    }
    const way = { from: client.id, into: into.id };
    await moveAccounts(tx, workspaceId, way);
    await moveGrants(tx, workspaceId, way);
    await deleteClient(tx, client);
    return into.id;
  });
}

/** @throws ApiError `not_allowed`, `not_found` */
export async function archiveClient(
  deps: TeamDeps,
  session: Session,
  { clientId, isArchived }: { clientId: string; isArchived: boolean },
): Promise<void> {
  await change(deps, session, { needs: 'clients', says: 'client_archived' }, async (tx, now) => {
    const client = await getClient(tx, session, clientId);
    await updateClient(tx, client, { archived_at: isArchived ? now : null });
    return client.id;
  });
}

/**
 * Says whose these accounts are, all or nothing; returns our ids of them.
 * @throws ApiError `not_allowed`, `not_found`
 */
export async function setClient(
  deps: TeamDeps,
  session: Session,
  { igUsernames, clientId }: { igUsernames: readonly string[]; clientId: string | null },
): Promise<AccountId[]> {
  const says = 'client_of_account_changed';
  const { workspaceId } = session;
  let accountIds: AccountId[] = [];
  await change(deps, session, { needs: 'clients', says }, async (tx) => {
    const client = clientId === null ? null : await getClient(tx, session, clientId);
    accountIds = await listAccountIds(tx, workspaceId, igUsernames);
    await setClientOf(tx, workspaceId, accountIds, client?.id ?? null);
    return client?.id;
  });
  return accountIds;
}

async function getClient(db: Db, { workspaceId }: Session, clientId: string): Promise<ClientRow> {
  const client = await findClient(db, workspaceId, clientId.toLowerCase());
  if (!client) throw new ApiError('not_found', 'This client is gone. Please look at them again.');
  return client;
}
