import type { EditFlags, MenuItemConstructorOptions } from 'electron';

/** What was clicked with the other button. */
export interface ClickedInto {
  isEditable: boolean;
  selectionText: string;
  /** The word that is not in the dictionary; empty where all are. */
  misspelledWord: string;
  dictionarySuggestions: string[];
  editFlags: Pick<EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
}

/**
 * The menu of a text field, or of marked text; empty where there is nothing to do. `replace` puts a word
 * in the place of the misspelled one.
 */
export function contextMenuTemplate(
  { isEditable, selectionText, editFlags, misspelledWord, dictionarySuggestions }: ClickedInto,
  replace: (word: string) => void,
): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  const suggestions: MenuItemConstructorOptions[] = dictionarySuggestions.map((word) => ({
    label: word,
    click: () => replace(word),
  }));
  const none: MenuItemConstructorOptions = { label: 'No suggestions', enabled: false };
  const spelling = suggestions.length > 0 ? suggestions : [none];
  return [
    ...(misspelledWord === '' ? [] : [...spelling, { type: 'separator' } as const]),
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
