import { useMay } from '../rights/use-may.ts';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useDialogs } from '../dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { hasRunningPlan, moneyBackLeftUntil } from '../account-state.ts';
import { usePageCommands } from './page-commands.ts';
import type { ShortcutId } from './shortcuts.ts';
import { useShownAccount } from '../use-shown-account.ts';

/** What the shortcuts do on the page that is shown; one that can do nothing there is missing. */
export function useShortcutActions(): () => Partial<Record<ShortcutId, () => void>> {
  const { paths } = useServices();
  const dialogs = useDialogs();
  const navigate = useNavigate();
  const page = usePageCommands();
  const goBack = useGoBack();
  const account = useShownAccount();
  const go = (path: string) => () => void navigate(path);
  const ofPage = (id: ShortcutId) => (page.has(id) ? () => void page.run(id) : undefined);
  const [seesMoney, mayPay] = [useMay('readMoney'), useMay('spend')];
  const [mayEdit, mayConnect] = [useMay('edit'), useMay('connect')];
  const ofAccount = (isAllowed: boolean, run: (account: ConnectedAccount) => void) =>
    isAllowed && account ? () => run(account) : undefined;

  return () => {
    const actions: { [Id in ShortcutId]?: (() => void) | undefined } = {
      dashboard: go(paths.dashboard),
      subscriptions: go(paths.subscriptions),
      billing: seesMoney ? go(paths.billing) : undefined,
      alerts: go(paths.alerts),
      settings: go(paths.settings),
      help: go(paths.help),
      buyCredits: mayPay ? () => dialogs.open({ kind: 'buy_credits' }) : undefined,
      addAccount: mayConnect ? () => dialogs.open({ kind: 'add_account' }) : undefined,
      shortcuts: () => dialogs.open({ kind: 'shortcuts' }),
      plan: ofAccount(mayPay, (shown) =>
        hasPlanToManage(shown)
          ? dialogs.open({ kind: 'manage_subscription', account: shown })
          : void navigate(paths.otherSubscription(1, shown.igUsername)),
      ),
      delivery: ofAccount(mayEdit, (shown) =>
        dialogs.open({ kind: 'delivery_settings', account: shown }),
      ),
      extraLikes: ofPage('extraLikes'),
      exportReceipts: ofPage('exportReceipts'),
      undo: ofPage('undo'),
      search: findSearch() && (() => findSearch()?.focus()),
      back: ofPage('back') ?? goBack,
    };
    return Object.fromEntries(Object.entries(actions).filter(([, run]) => run !== undefined));
  };
}

const hasPlanToManage = (account: ConnectedAccount): boolean =>
  hasRunningPlan(account) ||
  moneyBackLeftUntil(account) !== null ||
  account.moneyBackState !== null;

/** Back to the page one came from; where one pays, only a press on a link leaves what was typed. */
function useGoBack(): (() => void) | undefined {
  const { paths } = useServices();
  const navigate = useNavigate();
  const { pathname, key } = useLocation();
  const isSafe = [paths.subscriptions, paths.billing, paths.settings, paths.help].includes(
    pathname,
  );
  return isSafe && key !== 'default' ? () => void navigate(-1) : undefined;
}

/** The field that searches the page; undefined where there is none. */
function findSearch(): HTMLElement | undefined {
  const fields = document.querySelectorAll<HTMLElement>('main input[type="search"]');
  return [...fields].find((field) => field.checkVisibility?.() ?? true);
}
