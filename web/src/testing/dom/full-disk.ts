import { onTestFinished } from 'vitest';

/** A full disk: nothing can be written to the replica until it is whole again, which is what this returns. */
export function fillDisk(): () => void {
  const own = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put');
  const mend = (): void => {
    Object.defineProperty(IDBObjectStore.prototype, 'put', { ...own });
  };
  Object.defineProperty(IDBObjectStore.prototype, 'put', {
    ...own,
    value: () => {
      throw new DOMException('The disk is full', 'QuotaExceededError');
    },
  });
  onTestFinished(mend);
  return mend;
}
