import * as v from 'valibot';
import { CLIENTS_LIMIT, MEMBERS_LIMIT, OPEN_INVITATIONS_LIMIT } from '../../domain/people/team.ts';
import { defineCall } from '../call.ts';
import { email, EMAIL_RULE, instant, uuid } from '../fields.ts';
import { User } from './user.ts';
import { role } from './workspace.ts';

/** Owners see every client. */
const grantedRole = v.picklist(['Manager', 'Editor', 'Viewer'], 'Please choose a role');
/** A role for one client. */
export const ClientGrant = v.object({ clientId: uuid, role: grantedRole });
export type ClientGrant = v.InferOutput<typeof ClientGrant>;

const wholeDollars = v.pipe(
  v.number('Please enter an amount in dollars'),
  v.integer('Please enter whole dollars'),
  v.minValue(0, 'Please enter an amount of 0 or more'),
  v.maxValue(1_000_000, 'Please enter an amount of 1,000,000 at most'),
);

/** Somebody who works in the workspace. */
const Member = v.object({
  id: uuid,
  name: v.string(),
  email: v.string(),
  role,
  /** Dollars a calendar month; null: no limit. Holds for managers. */
  spendLimit: v.nullable(v.number()),
  /** False: only accounts of the clients they are granted, and no money; missing: true. */
  allClients: v.optional(v.boolean()),
  grants: v.optional(v.array(ClientGrant)),
  since: instant,
  isThis: v.boolean(),
});
export type Member = v.InferOutput<typeof Member>;

const Invitation = v.object({
  id: uuid,
  email: v.string(),
  role,
  /** False: they see nothing before clients are granted to them. Unset by a server of before. */
  allClients: v.optional(v.boolean()),
  expiresAt: instant,
});
export type Invitation = v.InferOutput<typeof Invitation>;

/** Who works here, the owners first, and who was invited and hasn't answered; those only owners see. */
export const Team = v.object({
  members: v.array(Member),
  invitations: v.array(Invitation),
  /** Dollars: above them a manager's changes of many accounts wait for another person; null: they never do. */
  approvalAbove: v.optional(v.nullable(v.number())),
});
export type Team = v.InferOutput<typeof Team>;

export const findTeam = defineCall({
  method: 'POST',
  path: '/user/team/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'Who works in the workspace, and who was invited.',
  input: v.object({ userId: uuid }),
  data: Team,
  errors: ['not_yours'],
});

export const inviteMember = defineCall({
  method: 'POST',
  path: '/user/team/invite',
  encoding: 'json',
  session: 'required',
  summary: `Mails someone an invitation: a link for this address, once, for 48 hours. At most ${OPEN_INVITATIONS_LIMIT} open ones and ${MEMBERS_LIMIT} people.`,
  input: v.object({
    userId: uuid,
    email: email(EMAIL_RULE),
    role,
    /** False: they see nothing until clients are granted to them. */
    allClients: v.optional(v.boolean(), true),
  }),
  data: Team,
  errors: ['not_yours', 'not_allowed', 'already_member', 'team_full', 'rate_limited'],
});

export const withdrawInvitation = defineCall({
  method: 'POST',
  path: '/user/team/withdraw',
  encoding: 'json',
  session: 'required',
  summary: 'Takes an invitation back; its link no longer works.',
  input: v.object({ userId: uuid, invitationId: uuid }),
  data: Team,
  errors: ['not_yours', 'not_allowed', 'not_found'],
});

export const changeMember = defineCall({
  method: 'POST',
  path: '/user/team/changeMember',
  encoding: 'json',
  session: 'required',
  summary: 'Changes someone’s role, and what a manager may spend in a month.',
  input: v.object({
    userId: uuid,
    memberId: uuid,
    role,
    /** Dollars; null: no limit. Left out: as it was. */
    spendLimit: v.optional(v.nullable(wholeDollars)),
  }),
  data: Team,
  errors: ['not_yours', 'not_allowed', 'not_found', 'last_owner'],
});

export const saveApproval = defineCall({
  method: 'POST',
  path: '/user/team/saveApproval',
  encoding: 'json',
  session: 'required',
  summary:
    'Says above which amount a manager’s changes of many accounts wait for the approval of another person.',
  input: v.object({
    userId: uuid,
    /** Dollars, for one operation; null: they never wait. */
    approvalAbove: v.nullable(wholeDollars),
  }),
  data: Team,
  errors: ['not_yours', 'not_allowed'],
});

export const grantClients = defineCall({
  method: 'POST',
  path: '/user/team/grantClients',
  encoding: 'json',
  session: 'required',
  summary: 'Says for which clients someone works: for all, or for these, with a role for each.',
  input: v.object({
    userId: uuid,
    memberId: uuid,
    allClients: v.boolean(),
    /** All of them: one that is left out is taken away. */
    grants: v.pipe(
      v.array(ClientGrant),
      v.maxLength(CLIENTS_LIMIT, `Please choose at most ${CLIENTS_LIMIT} clients.`),
    ),
  }),
  data: Team,
  errors: ['not_yours', 'not_allowed', 'not_found', 'last_owner'],
});

export const removeMember = defineCall({
  method: 'POST',
  path: '/user/team/removeMember',
  encoding: 'json',
  session: 'required',
  summary: 'Removes someone: their sessions here end, and their replicas go.',
  input: v.object({ userId: uuid, memberId: uuid }),
  data: Team,
  errors: ['not_yours', 'not_allowed', 'not_found', 'last_owner'],
});

export const handOver = defineCall({
  method: 'POST',
  path: '/user/team/handOver',
  encoding: 'json',
  session: 'required',
  summary: 'Makes someone else the owner, and oneself a manager; asks for the password.',
  input: v.object({ userId: uuid, memberId: uuid, password: v.string() }),
  data: Team,
  errors: [
    'not_yours',
    'not_allowed',
    'not_found',
    'wrong_credentials',
    'rate_limited',
    'overloaded',
  ],
});

export const leaveWorkspace = defineCall({
  method: 'POST',
  path: '/user/team/leave',
  encoding: 'json',
  session: 'required',
  summary: 'Leaves the workspace; answers as whom the session continues.',
  input: v.object({ userId: uuid }),
  data: User,
  errors: ['not_yours', 'last_owner'],
});
