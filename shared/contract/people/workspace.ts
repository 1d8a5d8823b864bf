import * as v from 'valibot';
import { ROLES } from '../../domain/people/may.ts';
import { defineCall } from '../call.ts';
import { flag, instant, linkToken, newPassword, text, timeZone, uuid } from '../fields.ts';
import { User } from './user.ts';

export const role = v.picklist(ROLES, 'Please choose a role');

export const switchWorkspace = defineCall({
  method: 'POST',
  path: '/user/team/switch',
  encoding: 'json',
  session: 'required',
  summary: 'Lets the session act in another workspace of its person.',
  input: v.object({ userId: uuid, workspaceId: uuid }),
  data: User,
  errors: ['not_yours', 'not_found'],
});

export const findInvitation = defineCall({
  method: 'POST',
  path: '/user/team/findInvitation',
  encoding: 'json',
  session: 'none',
  summary: 'What the link of an invitation is about.',
  input: v.object({ token: linkToken }),
  data: v.object({
    /** Whose workspace it is. */
    workspaceName: v.string(),
    email: v.string(),
    role,
    expiresAt: instant,
    /** Whether somebody has signed up with the address; they accept by logging in. */
    isKnown: v.boolean(),
  }),
  errors: ['invitation_over', 'rate_limited'],
});

export const acceptInvitation = defineCall({
  method: 'POST',
  path: '/user/team/accept',
  encoding: 'json',
  session: 'required',
  summary:
    'Accepts an invitation to the address of whoever is logged in; the session continues there.',
  input: v.object({ userId: uuid, token: linkToken }),
  data: User,
  errors: ['not_yours', 'invitation_over', 'other_address', 'team_full', 'rate_limited'],
});

export const signUpInvited = defineCall({
  method: 'POST',
  path: '/user/team/signUp',
  encoding: 'json',
  session: 'none',
  summary: 'Signs up with the address of an invitation, and accepts it.',
  input: v.object({
    token: linkToken,
    name: text('Please enter your name', 100),
    password: newPassword,
    timeZone: v.optional(timeZone, 'UTC'),
    keepSignedIn: v.optional(flag, false),
  }),
  data: User,
  errors: ['invitation_over', 'email_taken', 'team_full', 'rate_limited', 'overloaded'],
});
