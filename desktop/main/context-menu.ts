import type { EditFlags, MenuItemConstructorOptions } from 'electron';

/** What was clicked with the other button. */
export interface ClickedInto {
  isEditable: boolean;
  selectionText: string;
  editFlags: Pick<EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
}

/** The menu of a text field, or of marked text; empty where there is nothing to do. */
export function contextMenuTemplate({
  isEditable,
  selectionText,
  editFlags,
}: ClickedInto): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
