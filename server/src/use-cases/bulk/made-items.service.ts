import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { MadeItem } from '#shared/contract/made-items.ts';
import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { listClientNames } from '#server/network/clients/client.repository.ts';
import type { ItemRow } from './bulk.repository.ts';
import { listEnded } from './bulk-view.repository.ts';
import { getOperation } from './bulk.service.ts';
import { seenPackage } from './seen-plan.ts';

/** The changes of an operation that were made, each with what it was before. @throws ApiError `not_found` */
export async function viewMade(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  session: Session,
  { operationId, after = -1 }: { operationId: string; after?: number | undefined },
): Promise<MadeItem[]> {
  const { db } = deps.database;
  const { workspaceId } = session;
  await getOperation(deps, session, operationId);
  const page = { after, limit: BULK_LIMITS.page };
  const rows = await listEnded(db, { workspaceId, operationId }, 'made', page);
  const clients = await listClientNames(db, workspaceId);
  const named = <C extends BulkChange | null>(change: C): C =>
    change?.kind === 'client' && change.clientId !== null
      ? { ...change, clientName: clients.get(change.clientId)?.name ?? 'A client' }
      : change;
  return rows.map((row) => ({
    position: row.position,
    igUsername: row.ig_username,
    change: named(row.change),
    undo: named(row.undo),
    fromPlan: planBefore(row),
    charged: dollarsFromCents(row.charged_cents),
  }));
}

function planBefore({ change, seen }: Pick<ItemRow, 'change' | 'seen'>): number | null {
  const isAbout = change.kind === 'plan' || change.kind === 'keepPlan';
  return isAbout && seen !== null ? seenPackage(seen) : null;
}
