/** The columns of a file of accounts that are read again, by their heads. */
export const FILE_HEADS = { id: 'ID', name: 'Account', plan: 'Plan', tags: 'Tags' } as const;

/** As a spreadsheet keeps it: so many digits alone would be rounded. */
export const fileId = (igId: string): string => (igId === '' ? '' : `ig-${igId}`);
