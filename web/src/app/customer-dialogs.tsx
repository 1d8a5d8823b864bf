import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { toastError } from '../components/toast.ts';
import { type Dialog, type Dialogs, DialogsContext } from '../platform/dialogs.ts';
import { useServices } from '../platform/services.ts';

const NOT_LOADED = 'We couldn’t load this. Check your connection and open it again.';

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
    const open = async (dialog: Dialog): Promise<void> => {
      asked.current += 1;
      const mine = asked.current;
      opener.current ??= findOpener();
      state.setState({ modalAccount: 'account' in dialog ? dialog.account : null });
      const element = await loadDialog(dialog);
      if (mine === asked.current) setShown(element);
    };
    return {
      close,
      open: (dialog) => {
        open(dialog).catch((error: unknown) => {
          platform.report('A dialog could not be loaded', error);
          toastError(NOT_LOADED);
          opener.current = null;
          close();
        });
      },
    };
  }, [state, platform]);

  useEffect(() => {
    // What can be done offline must be there before the network goes.
    const wait = setTimeout(() => {
      loadOfflineDialogs().catch((error: unknown) =>
        platform.report('The dialogs for offline could not be loaded', error),
      );
    }, OFFLINE_DIALOGS_MS);
    return () => clearTimeout(wait);
  }, [platform]);

  const openedAt = useRef(pathname);
  useEffect(() => {
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

/** Long enough after the page that its own pictures and code come first. */
const OFFLINE_DIALOGS_MS = 2000;

async function loadOfflineDialogs(): Promise<void> {
  await Promise.all([
    import('../features/credit-dialogs/extra-likes-dialog.tsx'),
    import('../features/credit-dialogs/many-likes-dialog.tsx'),
    import('../features/account-dialogs/delivery-settings-drawer.tsx'),
    import('../features/account-dialogs/manage-account-dialog.tsx'),
    import('../features/exports/export-dialog.tsx'),
    import('../features/palette/palette.tsx'),
    import('../features/palette/shortcuts-dialog.tsx'),
    import('../features/waiting-actions/waiting-dialog.tsx'),
    import('../features/waiting-actions/log-out-dialog.tsx'),
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
      const { BuyCreditsDialog } =
        await import('../features/credit-dialogs/buy-credits-dialog.tsx');
      return <BuyCreditsDialog />;
    }
    case 'extra_likes': {
      const { ExtraLikesDialog } =
        await import('../features/credit-dialogs/extra-likes-dialog.tsx');
      return <ExtraLikesDialog post={dialog.post} />;
    }
    case 'many_likes': {
      const { ManyLikesDialog } = await import('../features/credit-dialogs/many-likes-dialog.tsx');
      const { posts, likes, onOrdered } = dialog;
      return <ManyLikesDialog posts={posts} likes={likes} onOrdered={onOrdered} />;
    }
    case 'add_account': {
      const { AddAccountDialog } =
        await import('../features/account-dialogs/add-account-dialog.tsx');
      return <AddAccountDialog />;
    }
    case 'manage_account': {
      const { ManageAccountDialog } =
        await import('../features/account-dialogs/manage-account-dialog.tsx');
      return <ManageAccountDialog />;
    }
    case 'change_username': {
      const { ChangeUsernameDialog } =
        await import('../features/account-dialogs/change-username-dialog.tsx');
      return <ChangeUsernameDialog />;
    }
    case 'remove_account': {
      const { RemoveAccountDialog } =
        await import('../features/account-dialogs/remove-account-dialog.tsx');
      return <RemoveAccountDialog />;
    }
    case 'delivery_settings': {
      const { DeliverySettingsDrawer } =
        await import('../features/account-dialogs/delivery-settings-drawer.tsx');
      return <DeliverySettingsDrawer />;
    }
    case 'manage_subscription': {
      const { ManageSubscriptionDialog } =
        await import('../features/subscription-dialogs/manage-subscription-dialog.tsx');
      return <ManageSubscriptionDialog />;
    }
    case 'export': {
      const { ExportDialog } = await import('../features/exports/export-dialog.tsx');
      return <ExportDialog file={dialog.file} />;
    }
    case 'shortcuts': {
      const { ShortcutsDialog } = await import('../features/palette/shortcuts-dialog.tsx');
      return <ShortcutsDialog />;
    }
    case 'waiting_actions': {
      const { WaitingDialog } = await import('../features/waiting-actions/waiting-dialog.tsx');
      return <WaitingDialog />;
    }
    case 'log_out': {
      const { LogOutDialog } = await import('../features/waiting-actions/log-out-dialog.tsx');
      return <LogOutDialog />;
    }
    default:
      return dialog satisfies never;
  }
}
