import * as v from 'valibot';
import {
  MUTATION_ARGS,
  type MutationName,
  type ParsedMutationArgs,
} from '#shared/sync/mutations.ts';
import { MUTATION_VERSION } from '#shared/sync/version.ts';
import type { Mutation } from '#shared/sync/push.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { notYourAccount } from '#server/network/accounts/account-refusals.ts';
import { getAccountByIgId, listAccounts } from '#server/network/accounts/account.repository.ts';
import { tagAccounts } from '#server/network/accounts/tag-accounts.service.ts';
import { admitOrder, placeLikesOrder } from '#server/money/credits/credit-order.service.ts';
import {
  readForSettings,
  storeSettings,
} from '#server/use-cases/accounts/delivery-settings.service.ts';
import { removeView, saveView } from '#server/identity/members/account-views.service.ts';
import { saveAlertChoice } from '#server/identity/members/alert-choice.service.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { savePreference } from '#server/identity/users/user-preference.repository.ts';
import { claimOrderId } from './sync-client.repository.ts';

export type MutationDeps = Pick<
  Deps,
  'clock' | 'database' | 'ids' | 'log' | 'network' | 'random' | 'settings'
>;

/** What a mutation does inside its transaction; 'again': prepare once more. */
export type Execute = (tx: Tx) => Promise<'done' | 'again'>;
type Prepare<N extends MutationName> = (
  deps: MutationDeps,
  session: Session,
  args: ParsedMutationArgs<N>,
) => Promise<Execute>;

/** The product's own services do the work; what asks the network is done before the transaction. */
const PREPARE: { [N in MutationName]: Prepare<N> } = {
  orderLikes: async (deps, { workspaceId, userId: actor }, args) => {
    const { orderId, igId, postId, shortCode, likes } = args;
    await admitOrder(deps, { workspaceId, orderId });
    return async (tx) => {
      const claim = await claimOrderId(tx, { workspaceId, orderId, postId, likes });
      if (claim === 'ordered') return 'done';
      if (claim === 'taken') {
        throw new ApiError(
          'idempotency_conflict',
          'This order id was already used for something else.',
        );
      }
      const account = await getAccountByIgId(tx, workspaceId, igId);
      await placeLikesOrder(tx, deps, { orderId, account, postId, shortCode, likes, actor });
      return 'done';
    };
  },
  saveDeliverySettings: async (deps, { workspaceId, userId }, args) => {
    const intent = { workspaceId, userId, ...args };
    const reading = await readForSettings(deps, intent);
    return async (tx) =>
      (await storeSettings(deps, tx, intent, reading)) === 'stored' ? 'done' : 'again';
  },
  tagAccounts: async (deps, { workspaceId, userId: actor }, args) => {
    await limit(deps, { ...LIMITS.tags, key: workspaceId });
    return async (tx) => {
      await tagAccounts(tx, { workspaceId, actor, ...args, now: new Date(deps.clock.now()) });
      return 'done';
    };
  },
  switchAccount:
    async (_deps, session, { accountId }) =>
    async (tx) => {
      await refuseUnknown(tx, session, accountId === null ? [] : [accountId]);
      await savePreference(tx, session, { active_account_id: accountId });
      return 'done';
    },
  setPreferences:
    async (_deps, session, { density, pinnedAccountIds: pinned, likesDoneMail }) =>
    async (tx) => {
      await refuseUnknown(tx, session, pinned ?? []);
      await savePreference(tx, session, {
        ...(density && { density }),
        ...(pinned && { pinned_account_ids: pinned }),
        ...(likesDoneMail !== undefined && { likes_done_mail: likesDoneMail }),
      });
      return 'done';
    },
  setAlerts:
    async ({ clock }, session, change) =>
    async (tx) => {
      await saveAlertChoice(tx, session, change, new Date(clock.now()));
      return 'done';
    },
  saveView: async (deps, session, { viewId: id, ...view }) => {
    await limitViews(deps, session);
    return async (tx) => {
      await saveView(tx, session, { id, ...view });
      return 'done';
    };
  },
  removeView: async (deps, session, { viewId }) => {
    await limitViews(deps, session);
    return async (tx) => {
      await removeView(tx, session, viewId);
      return 'done';
    };
  },
};

const limitViews = (deps: MutationDeps, { workspaceId, userId }: Session): Promise<void> =>
  limit(deps, { ...LIMITS.views, key: `${workspaceId}:${userId}` });

async function refuseUnknown(tx: Tx, session: Session, ids: readonly string[]): Promise<void> {
  const known = await listAccounts(tx, session.workspaceId, ids);
  if (known.length < new Set(ids).size) throw notYourAccount();
}

/** @throws ApiError `invalid_input` for an unknown name, version or arguments; the mutation's own */
export async function prepareMutation(
  deps: MutationDeps,
  session: Session,
  { name, v: version, args }: Mutation,
): Promise<Execute> {
  if (!Object.hasOwn(MUTATION_ARGS, name) || version !== MUTATION_VERSION) {
    throw new ApiError(
      'invalid_input',
      'The server doesn’t recognize this change. Please reload and try again.',
    );
  }
  const known = name as MutationName;
  const parsed = v.safeParse(MUTATION_ARGS[known], args, { abortPipeEarly: true });
  if (!parsed.success) throw new ApiError('invalid_input', parsed.issues[0].message);
  // The table pairs each name with its own arguments, which the compiler can't follow through a lookup.
  const prepare = PREPARE[known] as Prepare<MutationName>;
  return prepare(deps, session, parsed.output);
}
