import type { DeliverySettings } from '../../contract/accounts/account-changes.ts';

/** Delivery settings of which only those named are changed. */
export type DeliveryChange = {
  readonly [Name in keyof DeliverySettings]?: DeliverySettings[Name] | undefined;
};

export function changeDelivery(
  settings: DeliverySettings,
  { automaticLikes, speed, range }: DeliveryChange,
): DeliverySettings {
  return {
    automaticLikes: automaticLikes ?? settings.automaticLikes,
    speed: speed ?? settings.speed,
    range: range === undefined ? settings.range : range,
  };
}
