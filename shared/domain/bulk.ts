/** One operation changes at most so many accounts, and a page of its plan has at most so many. */
export const BULK_LIMITS = { items: 5000, page: 200 } as const;

/** For so long prices of a plan hold, and what an operation has done can be undone where nothing was charged. */
export const BULK_TIMES = { draftMs: 15 * 60_000, undoMs: 10 * 60_000 } as const;

export const BULK_KINDS = ['plan', 'keepPlan', 'tags', 'pause', 'resume', 'cancel'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

/** What a change is, for `may`. */
export const bulkAction = (kind: BulkKind): 'edit' | 'spend' =>
  kind === 'tags' ? 'edit' : 'spend';
