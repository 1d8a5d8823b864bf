import * as v from 'valibot';
import { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import type { CallInput } from '#shared/contract/call.ts';
import type { saveDeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import { LIKES_RANGE } from '#shared/domain/delivery/automatic-likes.ts';

/** What the drawer holds; the ends of the range as the text of their fields. */
export interface DeliveryValues {
  automaticLikes: boolean;
  speed: DeliverySettings['speed'];
  isIrregular: boolean;
  min: string;
  max: string;
}
export type DeliveryErrors = Partial<Record<'min' | 'max', string>>;
type SentSettings = CallInput<typeof saveDeliverySettings>['settings'];

/** The drawer as it opens: irregular amounts are off unless a range is kept. */
export function openingDelivery(settings: DeliverySettings): DeliveryValues {
  return {
    automaticLikes: settings.automaticLikes,
    speed: settings.speed,
    isIrregular: settings.range !== null,
    min: String(settings.range?.min ?? LIKES_RANGE.min),
    max: String(settings.range?.max ?? LIKES_RANGE.max),
  };
}

function sentSettings(values: DeliveryValues): SentSettings {
  const { automaticLikes, speed, isIrregular, min, max } = values;
  return { automaticLikes, speed, range: isIrregular ? { min, max } : null };
}

/** The settings as the contract reads them, or the sentence beside each end of the range. */
export function readDelivery(
  values: DeliveryValues,
): { settings: DeliverySettings } | { errors: DeliveryErrors } {
  const read = v.safeParse(DeliverySettings, sentSettings(values));
  if (read.success) return { settings: read.output };
  const errors: DeliveryErrors = {};
  for (const issue of read.issues) {
    const end = v.getDotPath(issue) === 'range.max' ? 'max' : 'min';
    errors[end] ??= issue.message;
  }
  return { errors };
}

/** A warning when amounts that vary give less than the plan pays for; undefined when they don't. */
export function belowPlanSentence(
  values: DeliveryValues,
  planLikes: number | null,
): string | undefined {
  const max = Number(values.max);
  const isRead = /^\d+$/.test(values.max);
  if (!values.isIrregular || !isRead || planLikes === null || max >= planLikes) return undefined;
  return `This range is below your plan: each post gets at most ${max.toLocaleString('en-US')} of the ${planLikes.toLocaleString('en-US')} likes you pay for.`;
}
