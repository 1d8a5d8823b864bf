import { notificationsStore } from '@mantine/notifications';
import { expect, test } from 'vitest';
import { hideToasts, toastError, toastSuccess } from './toast.ts';

const shownAndWaiting = (): unknown[] => {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue];
};

test('hiding takes away every toast, those still waiting for a place too', () => {
  for (let count = 0; count < 10; count += 1) toastError('Failed to process payment');
  toastSuccess('Successfully logged in');
  expect(shownAndWaiting()).toHaveLength(11);

  hideToasts();
  expect(shownAndWaiting()).toEqual([]);
});
