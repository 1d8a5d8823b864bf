import { expect, test } from 'vitest';
import { hideToast, hideToasts, toastError, toastStore, toastSuccess } from './toast.ts';

const messages = (): string[] => toastStore.getState().toasts.map(({ message }) => message);

test('hiding takes away every toast, those still waiting for a place too', () => {
  for (let count = 0; count < 10; count += 1) toastError('Failed to process payment');
  toastSuccess('Successfully logged in');
  expect(messages()).toHaveLength(11);

  hideToasts();
  expect(messages()).toEqual([]);
});

test('a toast that is closed makes room, and the others stay in their order', () => {
  for (const message of ['one', 'two', 'three']) toastSuccess(message);
  const second = toastStore.getState().toasts[1];
  hideToast(second?.id ?? 0);
  expect(messages()).toEqual(['one', 'three']);
  hideToasts();
});
