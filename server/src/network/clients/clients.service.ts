import type { Client } from '#shared/contract/accounts/clients.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { type Action } from '#shared/domain/people/may.ts';
import { CLIENTS_LIMIT } from '#shared/domain/people/team.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type AuditAction, appendAudit } from '#server/audit/audit.repository.ts';
import { findPerson } from '#server/identity/members/client-grant.repository.ts';
import { getMemberWhoMay, type TeamDeps } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { seenClients } from '../accounts/account-rights.ts';
import {
  type ClientRow,
  countClients,
  findClient,
  findClientByName,
  insertClient,
  listClients,
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
export function changeClients(
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
  await changeClients(
    deps,
    session,
    { needs: 'clients', says: clientId === undefined ? 'client_added' : 'client_saved' },
    async (tx, now) => {
      const known = clientId === undefined ? undefined : await getClient(tx, workspaceId, clientId);
      const same = await findClientByName(tx, workspaceId, name);
      if (same && same.id !== known?.id) {
        const message = `You already have a client called ${same.name}.`;
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
    },
  );
}

/** @throws ApiError `not_allowed`, `not_found` */
export async function archiveClient(
  deps: TeamDeps,
  session: Session,
  { clientId, isArchived }: { clientId: string; isArchived: boolean },
): Promise<void> {
  const { workspaceId } = session;
  await changeClients(
    deps,
    session,
    { needs: 'clients', says: isArchived ? 'client_archived' : 'client_unarchived' },
    async (tx, now) => {
      const client = await getClient(tx, workspaceId, clientId);
      await updateClient(tx, client, { archived_at: isArchived ? now : null });
      return client.id;
    },
  );
}

/** @throws ApiError `not_found` */
export async function getClient(
  db: Db,
  workspaceId: WorkspaceId,
  clientId: string,
): Promise<ClientRow> {
  const client = await findClient(db, workspaceId, clientId.toLowerCase());
  if (!client) {
    throw new ApiError('not_found', 'This client no longer exists. Please choose another one.');
  }
  return client;
}
