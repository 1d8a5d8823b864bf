import { createContext, useContext } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { AskedChange, Proposal } from '#shared/contract/accounts/bulk.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';

/** The dialogs any screen may open (S§2). `app/` shows them, so that features need not know each other. */
export type Dialog =
  | { kind: 'buy_credits' }
  | { kind: 'add_account' }
  | { kind: 'manage_account'; account: ConnectedAccount }
  | { kind: 'change_username'; account: ConnectedAccount }
  | { kind: 'remove_account'; account: ConnectedAccount }
  | { kind: 'set_client'; account: ConnectedAccount }
  | { kind: 'tag_accounts'; accounts: readonly ConnectedAccount[] }
  /** Without `changes` they are chosen; without accounts, too, those of before are shown, or names are pasted. */
  | {
      kind: 'bulk_change';
      accounts: readonly ConnectedAccount[];
      changes?: ReadonlyArray<{ igUsername: string; change: AskedChange }>;
      /** What is chosen for them; else what is done with plans. */
      about?: 'delivery' | 'client' | 'tags' | 'names';
      /** Somebody else's, to be decided about. */
      proposal?: Proposal;
    }
  /** A file of accounts that was edited elsewhere. */
  | { kind: 'upload_accounts' }
  | { kind: 'manage_subscription'; account: ConnectedAccount }
  | { kind: 'delivery_settings'; account: ConnectedAccount }
  | { kind: 'extra_likes'; post: Post }
  /** `likes`: for each of the posts. */
  | { kind: 'many_likes'; posts: readonly Post[]; likes: number; onOrdered: () => void }
  /** What is in a file, before it is saved. */
  | { kind: 'export'; file: ExportFile }
  /** Every key of the app. */
  | { kind: 'shortcuts' }
  /** What waits for the network, and what was refused. */
  | { kind: 'waiting_actions' }
  /** Log-out while something still waits. */
  | { kind: 'log_out' };

export interface Dialogs {
  /** Opens a dialog in place of the one that is open. */
  open: (dialog: Dialog) => void;
  close: () => void;
}

export const DialogsContext = createContext<Dialogs | undefined>(undefined);

export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (!dialogs) throw new Error('Dialogs open inside the pages of a customer only.');
  return dialogs;
}
