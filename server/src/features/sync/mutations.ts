import * as v from 'valibot';
import {
  MUTATION_ARGS,
  MUTATION_VERSION,
  type MutationName,
  type ParsedMutationArgs,
} from '#shared/sync/mutations.ts';
import type { Mutation } from '#shared/sync/push.ts';
import { ApiError } from '../../api-error.ts';
import type { AfterCommit, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findAccountByIgId, listAccounts } from '../accounts/account.repository.ts';
import { orderExtraLikes } from '../credits/credit-order.service.ts';
import { readForSettings, storeSettings } from '../delivery-settings/delivery-settings.service.ts';
import type { Session } from '../users/session.service.ts';
import { savePreference } from '../users/user-preference.repository.ts';
import { claimOrderId } from './client-order.repository.ts';

export type MutationDeps = Pick<
  Deps,
  'clock' | 'database' | 'ids' | 'log' | 'network' | 'random' | 'settings'
>;

/** What a mutation does inside its transaction; 'again': prepare once more. */
export type Execute = (tx: Tx, afterCommit: AfterCommit) => Promise<'done' | 'again'>;
type Prepare<N extends MutationName> = (
  deps: MutationDeps,
  session: Session,
  args: ParsedMutationArgs<N>,
) => Promise<Execute>;

/** The product's own services do the work; what asks the network is done before the transaction. */
const PREPARE: { [N in MutationName]: Prepare<N> } = {
  orderLikes:
    async (deps, { workspaceId }, args) =>
    async (tx, afterCommit) => {
      const { orderId, igId, postId, shortCode, likes } = args;
      if (!(await claimOrderId(tx, { workspaceId, orderId, postId, likes }))) {
        throw new ApiError(
          'idempotency_conflict',
          'This order id was already used for something else.',
        );
      }
      const account = await findAccountByIgId(tx, workspaceId, igId);
      if (!account) throw new ApiError('not_yours', 'This isn’t one of your accounts.');
      const form = { igUsername: account.ig_username, postId, shortCode, likes };
      await orderExtraLikes(inside(deps, tx, afterCommit), { workspaceId, orderId, form });
      return 'done';
    },
  saveDeliverySettings: async (deps, { workspaceId, userId }, args) => {
    const wish = { workspaceId, userId, ...args };
    const reading = await readForSettings(deps, wish);
    return async (tx) =>
      (await storeSettings(deps, tx, wish, reading)) === 'stored' ? 'done' : 'again';
  },
  switchAccount:
    async (_deps, session, { accountId }) =>
    async (tx) => {
      await checkAccounts(tx, session, accountId === null ? [] : [accountId]);
      await savePreference(tx, session, { active_account_id: accountId });
      return 'done';
    },
  setPreferences:
    async (_deps, session, { density, pinnedAccountIds: pinned, likesDoneMail }) =>
    async (tx) => {
      await checkAccounts(tx, session, pinned ?? []);
      await savePreference(tx, session, {
        ...(density && { density }),
        ...(pinned && { pinned_account_ids: pinned }),
        ...(likesDoneMail !== undefined && { likes_done_mail: likesDoneMail }),
      });
      return 'done';
    },
};

/** Services open transactions of their own; here they run in the mutation's. */
function inside(deps: MutationDeps, tx: Tx, afterCommit: AfterCommit): MutationDeps {
  const { database } = deps;
  return {
    ...deps,
    database: { ...database, db: tx, transaction: (work) => work(tx, afterCommit) },
  };
}

async function checkAccounts(tx: Tx, session: Session, ids: readonly string[]): Promise<void> {
  const known = await listAccounts(tx, session.workspaceId, ids);
  if (known.length < new Set(ids).size) {
    throw new ApiError('not_yours', 'This isn’t one of your accounts.');
  }
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
