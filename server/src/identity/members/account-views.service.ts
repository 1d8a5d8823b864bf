import {
  type AccountView,
  byViewOrder,
  nameTaken,
  viewRefusal,
} from '#shared/domain/accounts/account-view.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import { lockWorkspace } from '../users/workspace-lock.repository.ts';
import { deleteView, findViewRows, putView } from './account-view.repository.ts';
import { getMemberWhoMay } from './members.service.ts';
import type { MembershipRow } from './membership.repository.ts';

/**
 * A person's own views, and the shared ones where they work for all clients: whoever works for single ones, a client
 * itself among them, would read others' names in what views are called and search for.
 */
export async function listViews(
  db: Db,
  member: Pick<MembershipRow, 'workspace_id' | 'user_id' | 'all_clients'>,
): Promise<AccountView[]> {
  const views = await findViews(db, { workspaceId: member.workspace_id, userId: member.user_id });
  return member.all_clients ? views : views.filter(({ isShared }) => !isShared);
}

/**
 * Keeps a view as it is to be, whoever saved it last; shared ones are managers'.
 * @throws ApiError `not_allowed`, `view_exists`, `too_many_views`
 */
export async function saveView(tx: Tx, person: InWorkspace, asked: AccountView): Promise<void> {
  // In capitals it is the same to the database.
  const view = { ...asked, id: asked.id.toLowerCase() };
  await lockWorkspace(tx, person.workspaceId);
  const views = await findViews(tx, person);
  const before = views.find(({ id }) => id === view.id);
  if (view.isShared || before?.isShared) await getMemberWhoMay(tx, person, 'share');
  const refusal = viewRefusal(view, views);
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  const isPut = await putView(tx, person, view).catch((error: unknown) => {
    // Small letters of the database are others: İ is i there.
    if (isUniqueViolation(error, 'account_view_name'))
      throw new ApiError('view_exists', nameTaken(view));
    throw error;
  });
  if (!isPut) throw new ApiError('not_yours', 'This view belongs to someone else.');
}

/** @throws ApiError `not_allowed`: a shared one is managers' */
export async function removeView(tx: Tx, person: InWorkspace, id: string): Promise<void> {
  const view = (await findViews(tx, person)).find((each) => each.id === id.toLowerCase());
  if (!view) return;
  if (view.isShared) await getMemberWhoMay(tx, person, 'share');
  await deleteView(tx, person.workspaceId, view.id);
}

async function findViews(db: Db, person: InWorkspace): Promise<AccountView[]> {
  const rows = await findViewRows(db, person);
  return rows
    .map(({ id, name, search, user_id: userId }) => ({
      id,
      name,
      search,
      isShared: userId === null,
    }))
    .sort(byViewOrder);
}
