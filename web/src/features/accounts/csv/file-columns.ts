/** The columns of a file of accounts that are read again, by their heads. */
export const FILE_HEADS = {
  id: 'ID',
  name: 'Account',
  plan: 'Plan',
  tags: 'Tags',
  client: 'Client',
} as const;

/** What a spreadsheet may take for a number, a date or a truth, and write another way: 007, 3/4, 1e5, 10%, SEPT2. */
const TAKEN_FOR_OTHERS = /\d|^(?:true|false)$/i;

/** As a spreadsheet keeps them: one alone that it might change ends with what only stands between two. */
export function fileTags(tags: readonly string[]): string {
  const text = tags.join(', ');
  return tags.length === 1 && TAKEN_FOR_OTHERS.test(text) ? `${text};` : text;
}

/** As a spreadsheet keeps it: so many digits alone would be rounded. */
export const fileId = (igId: string): string => (igId === '' ? '' : `ig-${igId}`);
