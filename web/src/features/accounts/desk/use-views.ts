import { type AccountView, viewRefusal } from '#shared/domain/accounts/account-view.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findUserRow } from '#web/replica/store/read-rows.ts';
import { NOT_SAVED } from '#web/ui/words/not-saved.ts';

/** The person’s own views and the shared ones; undefined until the replica was read. */
export function useViews(): readonly AccountView[] | undefined {
  const { db } = useCustomer();
  return useLocal(async () => (await readLocal(db, findUserRow))?.views ?? [], [db]);
}

interface ViewChanges {
  /** Why it can’t be kept, as a sentence. */
  save: (view: AccountView) => Promise<string | undefined>;
  remove: (view: AccountView) => Promise<string | undefined>;
}

/** Keeps views and lets them go, also without network. */
export function useViewChanges(views: readonly AccountView[]): ViewChanges {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const send = async (
    sent: ReturnType<typeof changes.saveView>,
    unsaved: string,
  ): Promise<string | undefined> => {
    try {
      const outcome = await sent;
      return outcome.kind === 'refused' ? outcome.message : undefined;
    } catch (error) {
      platform.report('A view could not be changed', error);
      return unsaved;
    }
  };
  return {
    save: async (view) => {
      const refusal = viewRefusal(view, views)?.message;
      return refusal ?? send(changes.saveView(view), NOT_SAVED);
    },
    remove: (view) =>
      send(changes.removeView(view), `“${view.name}” is still there. Please try again.`),
  };
}
