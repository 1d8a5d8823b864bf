import type { CallData } from '#shared/contract/call.ts';
import type { downloadDocument, findDocuments } from '#shared/contract/money/documents.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { LIMITS, limit } from '#server/identity/limits/rate-limit.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findDocument, findTaxId, listDocuments, putTaxId } from './billing-document.repository.ts';

type DocumentDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** A page of invoices and credit notes, newest first, and the tax id that later ones show. */
export async function listOwnDocuments(
  { database }: DocumentDeps,
  workspaceId: WorkspaceId,
  page: { limit: number; before?: string | undefined },
): Promise<CallData<typeof findDocuments>> {
  const [taxId, documents] = await Promise.all([
    findTaxId(database.db, workspaceId),
    listDocuments(database.db, workspaceId, page),
  ]);
  return { taxId, documents };
}

/** @throws ApiError `not_found`: none of this workspace; `rate_limited` */
export async function printDocument(
  deps: DocumentDeps,
  workspaceId: WorkspaceId,
  documentId: string,
): Promise<CallData<typeof downloadDocument>> {
  await limit(deps, { ...LIMITS.document, key: workspaceId });
  const document = await findDocument(deps.database.db, workspaceId, documentId);
  if (!document) throw new ApiError('not_found', 'There is no such invoice.');
  // Few ask for one, and its library is large.
  const { drawDocument } = await import('./document-pdf.ts');
  const bytes = await drawDocument(document);
  return { fileName: `${document.number}.pdf`, pdf: Buffer.from(bytes).toString('base64') };
}

/** Documents issued from now on show it. An empty one removes it. */
export async function saveTaxId(
  deps: DocumentDeps,
  { workspaceId, userId: actor }: { workspaceId: WorkspaceId; userId: string },
  taxId: string,
): Promise<{ taxId: string | null }> {
  await limit(deps, { ...LIMITS.profile, key: actor });
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await putTaxId(tx, { workspaceId, taxId, now });
    await appendAudit(tx, { workspaceId, actor, action: 'tax_id_changed', now });
  });
  return { taxId: taxId === '' ? null : taxId };
}
