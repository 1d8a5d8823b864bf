import * as v from 'valibot';
import { DELIVERY_SPEEDS } from '../domain/delivery-speed.ts';
import { LIKES_RANGE } from '../domain/automatic-likes.ts';
import { defineCall } from './call.ts';
import { igUsername, networkId, uuid, wholeNumber } from './fields.ts';
import { User } from './user.ts';

export const addAccount = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/addRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Looks a username up and connects the account, still without a plan.',
  input: v.object({ userId: uuid, igUsername }),
  data: v.object({ igUsername: v.string(), igId: v.string() }),
  errors: [
    'not_yours',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

export const updateUsername = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/updateUsername',
  encoding: 'json',
  session: 'required',
  summary: 'Changes the username of a connected account; once in 48 hours, never charges.',
  input: v.object({ userId: uuid, oldIgUsername: igUsername, igUsername }),
  data: User,
  errors: [
    'not_yours',
    'not_found',
    'username_changed_recently',
    'account_already_subscribed',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

const RANGE_RULE = `Please enter a number from ${LIKES_RANGE.min} to ${LIKES_RANGE.max}`;
const rangeEnd = v.pipe(
  wholeNumber(RANGE_RULE),
  v.minValue(LIKES_RANGE.min, RANGE_RULE),
  v.maxValue(LIKES_RANGE.max, RANGE_RULE),
);

/** Delivery settings of one connected account (D6); `range` null: no irregular amounts. */
export const DeliverySettings = v.object({
  automaticLikes: v.boolean(),
  speed: v.picklist(DELIVERY_SPEEDS),
  range: v.nullable(
    v.pipe(
      v.object({ min: rangeEnd, max: rangeEnd }),
      v.forward(
        v.check(({ min, max }) => min <= max, 'The minimum must not be above the maximum'),
        ['min'],
      ),
    ),
  ),
});
export type DeliverySettings = v.InferOutput<typeof DeliverySettings>;

/** The settings with what the customer must know beside them. */
const SettingsAnswer = v.object({
  settings: DeliverySettings,
  /** Set while the provider reports a backlog: likes may take up to 24 hours. */
  backlogMinutes: v.number(),
  /** Likes of the account's plan, to warn when the range lies below; null without a plan. */
  planLikes: v.nullable(v.number()),
});

export const findDeliverySettings = defineCall({
  method: 'POST',
  path: '/user/deliverySettings/findByIgId',
  encoding: 'json',
  session: 'required',
  summary: 'The delivery settings of a connected account.',
  input: v.object({ userId: uuid, igId: networkId }),
  data: SettingsAnswer,
  errors: ['not_yours'],
});

export const saveDeliverySettings = defineCall({
  method: 'POST',
  path: '/user/deliverySettings/saveRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Saves the delivery settings; they hold for posts detected from now on.',
  input: v.object({ userId: uuid, igId: networkId, settings: DeliverySettings }),
  data: SettingsAnswer,
  errors: [
    'not_yours',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});
