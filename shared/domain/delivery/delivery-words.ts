import type { DeliveryChange } from './delivery-change.ts';

/** Those settings that are changed, in words: "Automatic Likes off, Speed: Slow". */
export function deliveryInWords(
  { automaticLikes, speed, range }: DeliveryChange,
  changed: DeliveryChange,
): string {
  const figure = (count: number): string => count.toLocaleString('en-US');
  const words = [
    changed.automaticLikes !== undefined && `Automatic Likes ${automaticLikes ? 'on' : 'off'}`,
    changed.speed !== undefined && `Speed: ${speed ?? ''}`,
    changed.range !== undefined &&
      (range ? `${figure(range.min)} to ${figure(range.max)} likes` : 'Same likes for each post'),
  ];
  return words.filter((each) => each !== false).join(', ');
}
