import * as v from 'valibot';
import { TAGGED_AT_ONCE } from '../../domain/accounts/account-tags.ts';
import { CLIENT_NAME_LENGTH } from '../../domain/people/team.ts';
import { defineCall } from '../call.ts';
import { ConnectedAccount } from './connected-account.ts';
import { igUsername, instant, text, uuid } from '../fields.ts';

/** Whom the workspace works for. */
const Client = v.object({
  id: uuid,
  name: v.string(),
  /** Connected accounts that are theirs. */
  accounts: v.number(),
  archivedAt: v.nullable(instant),
});
export type Client = v.InferOutput<typeof Client>;

const Clients = v.array(Client);
const call = { method: 'POST', encoding: 'json', session: 'required', data: Clients } as const;

export const findClients = defineCall({
  ...call,
  path: '/user/clients/findByUserId',
  summary: 'The clients that someone works for, by name.',
  input: v.object({ userId: uuid }),
  errors: ['not_yours'],
});

export const saveClient = defineCall({
  ...call,
  path: '/user/clients/saveRecord',
  summary: 'Makes a client, or gives one another name.',
  input: v.object({
    userId: uuid,
    /** Left out: a new one. */
    clientId: v.optional(uuid),
    name: text('Please enter the client’s name', CLIENT_NAME_LENGTH),
  }),
  errors: ['not_yours', 'not_allowed', 'not_found', 'client_exists', 'too_many_clients'],
});

export const mergeClients = defineCall({
  ...call,
  path: '/user/clients/merge',
  summary:
    'Makes two clients one: accounts and rights go over, and of two rights the greater stays.',
  input: v.object({ userId: uuid, clientId: uuid, intoId: uuid }),
  errors: ['not_yours', 'not_allowed', 'not_found', 'budget_reached'],
});

export const archiveClient = defineCall({
  ...call,
  path: '/user/clients/archive',
  summary: 'Puts a client away, or takes them out again. Accounts and rights stay as they are.',
  input: v.object({ userId: uuid, clientId: uuid, isArchived: v.boolean() }),
  errors: ['not_yours', 'not_allowed', 'not_found'],
});

export const setClient = defineCall({
  ...call,
  path: '/user/clients/setAccounts',
  summary: 'Says whose these accounts are.',
  input: v.object({
    userId: uuid,
    igUsernames: v.pipe(
      v.array(igUsername),
      v.minLength(1, 'Please choose an account.'),
      v.maxLength(TAGGED_AT_ONCE, `Please choose at most ${TAGGED_AT_ONCE} accounts at once.`),
    ),
    /** null: nobody's. */
    clientId: v.nullable(uuid),
  }),
  data: v.array(ConnectedAccount),
  errors: ['not_yours', 'not_allowed', 'not_found', 'client_archived', 'budget_reached'],
});
