import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { uuid } from '../fields.ts';

const key = (max: number) =>
  v.pipe(v.string(), v.maxLength(max), v.regex(/^[\w-]+$/, 'This isn’t a valid browser key'));

export const findPush = defineCall({
  method: 'POST',
  path: '/user/push/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'Whether this browser is notified when likes are done, and the key it subscribes with.',
  input: v.object({ userId: uuid }),
  data: v.object({ publicKey: v.string(), isOn: v.boolean() }),
  errors: ['not_yours'],
});

export const savePush = defineCall({
  method: 'POST',
  path: '/user/push/saveRecord',
  encoding: 'json',
  session: 'required',
  summary:
    'Notifies this browser when likes are done. At most ten browsers; the oldest is dropped.',
  input: v.object({
    userId: uuid,
    endpoint: v.pipe(v.string(), v.maxLength(1000)),
    p256dh: key(100),
    auth: key(30),
  }),
  data: v.null(),
  errors: ['not_yours', 'invalid_input'],
});

export const removePush = defineCall({
  method: 'POST',
  path: '/user/push/removeRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Stops notifying this browser when likes are done.',
  input: v.object({ userId: uuid }),
  data: v.null(),
  errors: ['not_yours'],
});
