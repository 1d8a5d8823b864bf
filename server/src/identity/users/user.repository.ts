import type { Insertable, Selectable } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { selectPeople } from '#server/kit/db/people.ts';
import type { UserTable } from '#server/kit/db/tables/user.table.ts';

export type UserRow = Selectable<UserTable>;

/** Inserts a user in a new workspace. Violates `email_is_taken` when the address is. */
export async function insertUser(
  tx: Tx,
  user: Omit<Insertable<UserTable>, 'default_account_id'>,
): Promise<void> {
  await tx
    .insertInto('workspace')
    .values({ id: user.workspace_id, created_at: user.created_at })
    .execute();
  await tx
    .insertInto('app_user')
    .values({ ...user, default_account_id: null })
    .execute();
  await tx
    .insertInto('email_directory')
    .values({ email: user.email, workspace_id: user.workspace_id, user_id: user.id })
    .execute();
}

export async function setDefaultAccount(
  tx: Tx,
  person: { workspaceId: WorkspaceId; userId: string },
  accountId: AccountId,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ default_account_id: accountId })
    .where('workspace_id', '=', person.workspaceId)
    .where('id', '=', person.userId)
    .execute();
}

/** Somebody who is in the workspace; their own row stands in their home. */
export async function findUser(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
): Promise<UserRow | undefined> {
  return selectPeople(db)
    .selectAll('app_user')
    .where('membership.workspace_id', '=', person.workspaceId)
    .where('membership.user_id', '=', person.userId)
    .executeTakeFirst();
}

/** The user of an e-mail address as normalised, whatever workspace they are in. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('email_directory')
    .innerJoin('app_user', (join) =>
      join
        .onRef('app_user.workspace_id', '=', 'email_directory.workspace_id')
        .onRef('app_user.id', '=', 'email_directory.user_id'),
    )
    .selectAll('app_user')
    .where('email_directory.email', '=', email)
    .executeTakeFirst();
}

export async function setPasswordHash(
  tx: Tx,
  person: { workspaceId: WorkspaceId; userId: string },
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ password_hash: passwordHash })
    .where('workspace_id', '=', person.workspaceId)
    .where('id', '=', person.userId)
    .execute();
}

export async function setProfile(
  tx: Tx,
  person: { workspaceId: WorkspaceId; userId: string },
  profile: { name: string; phone: string; timeZone: string },
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ name: profile.name, phone: profile.phone, time_zone: profile.timeZone })
    .where('workspace_id', '=', person.workspaceId)
    .where('id', '=', person.userId)
    .execute();
}

/** Makes an account the customer's default, if they have none. */
export async function claimDefaultAccount(
  tx: Tx,
  person: { workspaceId: WorkspaceId; userId: string },
  accountId: AccountId,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ default_account_id: accountId })
    .where('workspace_id', '=', person.workspaceId)
    .where('id', '=', person.userId)
    .where('default_account_id', 'is', null)
    .execute();
}

/** Nobody's default account any more; `nextId` is it in its place. */
export async function replaceDefaultAccount(
  tx: Tx,
  { workspaceId, accountId }: { workspaceId: WorkspaceId; accountId: AccountId },
  nextId: string,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ default_account_id: nextId })
    .where('workspace_id', '=', workspaceId)
    .where('default_account_id', '=', accountId)
    .execute();
}
