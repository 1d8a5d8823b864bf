import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { instant, newPassword, phone, text, timeZone, uuid } from '../fields.ts';
import { User } from './user.ts';

export const updateProfile = defineCall({
  method: 'POST',
  path: '/user/user/updateProfile',
  encoding: 'json',
  session: 'required',
  summary: 'Saves name, phone and time zone.',
  input: v.object({
    userId: uuid,
    name: text('Please enter your name', 100),
    phone: phone(),
    timeZone,
  }),
  data: User,
  errors: ['not_yours', 'rate_limited'],
});

export const updatePassword = defineCall({
  method: 'POST',
  path: '/user/user/updatePassword',
  encoding: 'json',
  session: 'required',
  summary: 'Changes the password of the logged-in customer and ends every other session.',
  input: v.object({ userId: uuid, currentPassword: v.string(), password: newPassword }),
  data: v.null(),
  errors: ['not_yours', 'wrong_credentials', 'rate_limited', 'overloaded'],
});

/** A signed-in browser. */
export const Device = v.object({
  id: uuid,
  userAgent: v.string(),
  createdAt: instant,
  lastSeenAt: instant,
  isThis: v.boolean(),
});
export type Device = v.InferOutput<typeof Device>;

export const findSessions = defineCall({
  method: 'POST',
  path: '/user/session/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'The browsers that are logged in.',
  input: v.object({ userId: uuid }),
  data: v.array(Device),
  errors: ['not_yours'],
});

export const endSession = defineCall({
  method: 'POST',
  path: '/user/session/endRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Logs one browser out.',
  input: v.object({ userId: uuid, sessionId: uuid }),
  data: v.array(Device),
  errors: ['not_yours', 'not_found'],
});

export const exportData = defineCall({
  method: 'POST',
  path: '/user/user/exportData',
  encoding: 'json',
  session: 'required',
  summary: 'Everything kept about the customer, as one document.',
  input: v.object({ userId: uuid }),
  data: v.record(v.string(), v.unknown()),
  errors: ['not_yours', 'rate_limited'],
});

export const deleteAccount = defineCall({
  method: 'POST',
  path: '/user/user/deleteAccount',
  encoding: 'json',
  session: 'required',
  summary: 'Stops all subscriptions and deletes the customer; asks for the password.',
  input: v.object({ userId: uuid, password: v.string() }),
  data: v.null(),
  errors: [
    'not_yours',
    'wrong_credentials',
    'last_owner',
    'payment_unknown',
    'rate_limited',
    'overloaded',
  ],
});
