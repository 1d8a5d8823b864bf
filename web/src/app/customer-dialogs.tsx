import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router-dom';
import type { Action } from '#shared/domain/people/may.ts';
import { onlySentence } from '#web/customer/rights/use-may.ts';
import { userMay } from '#web/customer/rights/user-may.ts';
import { toastError } from '#web/ui/toasts/toast.ts';
import { type Dialog, type Dialogs, DialogsContext } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { useLoadAhead } from '#web/platform/use-load-ahead.ts';

const NOT_LOADED = 'We couldn’t load this. Check your connection and open it again.';

/** What a dialog is for; the others are anybody's. */
const ACTIONS: { readonly [Kind in Dialog['kind']]?: Action } = {
  buy_credits: 'spend',
  add_account: 'connect',
  change_username: 'connect',
  remove_account: 'edit',
  tag_accounts: 'edit',
  bulk_change: 'connect',
  upload_accounts: 'connect',
  set_client: 'clients',
  manage_subscription: 'spend',
  delivery_settings: 'edit',
  extra_likes: 'spend',
  many_likes: 'spend',
};

/** Shows the dialogs that any customer page may open; each is code of its own, loaded when opened. */
export function CustomerDialogs({ children }: { children: ReactNode }) {
  const { state, platform } = useServices();
  const { pathname } = useLocation();
  const [shown, setShown] = useState<ReactElement>();
  const opener = useRef<HTMLElement>(null);
  /** Counts what was asked for, so that a dialog that loads late can't cover a later one. */
  const asked = useRef(0);

  const dialogs = useMemo<Dialogs>(() => {
    const close = (): void => {
      asked.current += 1;
      setShown(undefined);
      state.setState({ modalAccount: null });
    };
    const refusalOf = (kind: Dialog['kind']): string | undefined => {
      const action = ACTIONS[kind];
      if (action === undefined || userMay(state.getState().user, action)) return undefined;
      return onlySentence(action, 'do this');
    };
    const load = async (dialog: Dialog, mine: number): Promise<void> => {
      opener.current ??= findOpener();
      state.setState({ modalAccount: 'account' in dialog ? dialog.account : null });
      const element = await loadDialog(dialog);
      if (mine !== asked.current) return;
      // What it waits for may come when another one is open: it closes itself only.
      const own = { open, close: () => mine === asked.current && close() };
      setShown(<DialogsContext value={own}>{element}</DialogsContext>);
    };
    const open = (dialog: Dialog): void => {
      const refusal = refusalOf(dialog.kind);
      if (refusal !== undefined) return toastError(refusal);
      asked.current += 1;
      const mine = asked.current;
      return void load(dialog, mine).catch((error: unknown) => {
        platform.report('A dialog could not be loaded', error);
        if (mine !== asked.current) return;
        toastError(NOT_LOADED);
        opener.current = null;
        close();
      });
    };
    return { close, open };
  }, [state, platform]);

  useLoadAhead(loadOfflineDialogs);

  const openedAt = useRef(pathname);
  // With the page itself: a dialog that the new page is asked for at once isn't closed for the one before.
  useLayoutEffect(() => {
    if (openedAt.current !== pathname) dialogs.close();
    openedAt.current = pathname;
  }, [dialogs, pathname]);
  useEffect(() => {
    if (shown) return undefined;
    const element = opener.current;
    opener.current = null;
    // After the dialog's own focus trap has let go.
    const frame = requestAnimationFrame(() => element?.isConnected && element.focus());
    return () => cancelAnimationFrame(frame);
  }, [shown]);

  return (
    <DialogsContext value={dialogs}>
      {children}
      {shown}
    </DialogsContext>
  );
}

/** What can be done offline must be there before the network goes; a page brings its own. */
async function loadOfflineDialogs(): Promise<void> {
  await Promise.all([
    import('#web/features/posts/order-likes/extra-likes-dialog.tsx'),
    import('#web/features/posts/order-likes/many-likes-dialog.tsx'),
    import('#web/features/accounts/dialogs/delivery-settings-drawer.tsx'),
    import('#web/features/accounts/dialogs/manage-account-dialog.tsx'),
    import('#web/features/accounts/bulk/tag-accounts-dialog.tsx'),
    import('./export/export-dialog.tsx'),
    import('./palette/palette.tsx'),
    import('./palette/shortcuts-dialog.tsx'),
    import('#web/features/pending/waiting-dialog.tsx'),
    import('#web/features/pending/log-out-dialog.tsx'),
  ]);
}

/** Where the focus goes back to; an item of a menu disappears with it, so there it is its button. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return null;
  const menuButtonId = focused.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return menuButtonId ? document.getElementById(menuButtonId) : focused;
}

async function loadDialog(dialog: Dialog): Promise<ReactElement> {
  switch (dialog.kind) {
    case 'buy_credits': {
      const { BuyCreditsDialog } = await import('#web/features/billing/buy-credits-dialog.tsx');
      return <BuyCreditsDialog />;
    }
    case 'extra_likes': {
      const { ExtraLikesDialog } =
        await import('#web/features/posts/order-likes/extra-likes-dialog.tsx');
      return <ExtraLikesDialog post={dialog.post} />;
    }
    case 'many_likes': {
      const { ManyLikesDialog } =
        await import('#web/features/posts/order-likes/many-likes-dialog.tsx');
      const { posts, likes, onOrdered } = dialog;
      return <ManyLikesDialog posts={posts} likes={likes} onOrdered={onOrdered} />;
    }
    case 'add_account': {
      const { AddAccountDialog } =
        await import('#web/features/accounts/dialogs/add-account-dialog.tsx');
      return <AddAccountDialog />;
    }
    case 'manage_account': {
      const { ManageAccountDialog } =
        await import('#web/features/accounts/dialogs/manage-account-dialog.tsx');
      return <ManageAccountDialog />;
    }
    case 'change_username': {
      const { ChangeUsernameDialog } =
        await import('#web/features/accounts/dialogs/change-username-dialog.tsx');
      return <ChangeUsernameDialog />;
    }
    case 'remove_account': {
      const { RemoveAccountDialog } =
        await import('#web/features/accounts/dialogs/remove-account-dialog.tsx');
      return <RemoveAccountDialog />;
    }
    case 'tag_accounts': {
      const { TagAccountsDialog } =
        await import('#web/features/accounts/bulk/tag-accounts-dialog.tsx');
      return <TagAccountsDialog accounts={dialog.accounts} />;
    }
    case 'set_client': {
      const { SetClientDialog } =
        await import('#web/features/accounts/dialogs/set-client-dialog.tsx');
      return <SetClientDialog account={dialog.account} />;
    }
    case 'bulk_change': {
      const { BulkDialog } = await import('#web/features/accounts/bulk/bulk-dialog.tsx');
      const { kind: _, ...props } = dialog;
      return <BulkDialog {...props} />;
    }
    case 'upload_accounts': {
      const { UploadDialog } = await import('#web/features/accounts/csv/upload-dialog.tsx');
      return <UploadDialog />;
    }
    case 'delivery_settings': {
      const { DeliverySettingsDrawer } =
        await import('#web/features/accounts/dialogs/delivery-settings-drawer.tsx');
      return <DeliverySettingsDrawer />;
    }
    case 'manage_subscription': {
      const { ManageSubscriptionDialog } =
        await import('#web/features/billing/manage/manage-subscription-dialog.tsx');
      return <ManageSubscriptionDialog />;
    }
    case 'export': {
      const { ExportDialog } = await import('./export/export-dialog.tsx');
      return <ExportDialog file={dialog.file} />;
    }
    case 'shortcuts': {
      const { ShortcutsDialog } = await import('./palette/shortcuts-dialog.tsx');
      return <ShortcutsDialog />;
    }
    case 'waiting_actions': {
      const { WaitingDialog } = await import('#web/features/pending/waiting-dialog.tsx');
      return <WaitingDialog />;
    }
    case 'log_out': {
      const { LogOutDialog } = await import('#web/features/pending/log-out-dialog.tsx');
      return <LogOutDialog />;
    }
    default:
      return dialog satisfies never;
  }
}
