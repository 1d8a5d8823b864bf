import type { Insertable, Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { UserTable } from './user.table.ts';

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
  owner: { workspaceId: string; userId: string },
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ default_account_id: accountId })
    .where('workspace_id', '=', owner.workspaceId)
    .where('id', '=', owner.userId)
    .execute();
}

export async function findUser(
  db: Db,
  owner: { workspaceId: string; userId: string },
): Promise<UserRow | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where('workspace_id', '=', owner.workspaceId)
    .where('id', '=', owner.userId)
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
  owner: { workspaceId: string; userId: string },
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ password_hash: passwordHash })
    .where('workspace_id', '=', owner.workspaceId)
    .where('id', '=', owner.userId)
    .execute();
}

export async function setProfile(
  tx: Tx,
  owner: { workspaceId: string; userId: string },
  profile: { name: string; phone: string; timeZone: string },
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ name: profile.name, phone: profile.phone, time_zone: profile.timeZone })
    .where('workspace_id', '=', owner.workspaceId)
    .where('id', '=', owner.userId)
    .execute();
}

/** Makes an account the customer's default, if they have none. */
export async function claimDefaultAccount(
  tx: Tx,
  owner: { workspaceId: string; userId: string },
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ default_account_id: accountId })
    .where('workspace_id', '=', owner.workspaceId)
    .where('id', '=', owner.userId)
    .where('default_account_id', 'is', null)
    .execute();
}
