import { notificationsStore } from '@mantine/notifications';
import { expect, test } from 'vitest';
import {
  hideErrorsOfPage,
  hideToasts,
  toastError,
  toastErrorAhead,
  toastSuccess,
} from './toast.ts';

const shownAndWaiting = () => {
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

test('on the next page no error of the one before stands, but one that leads there, and every success', () => {
  for (let count = 0; count < 10; count += 1) toastError('The password is wrong.');
  toastSuccess('Successfully logged in');
  toastErrorAhead('Email not found. Please verify your email first.');

  hideErrorsOfPage();
  expect(shownAndWaiting().map(({ message }) => message)).toEqual([
    'Successfully logged in',
    'Email not found. Please verify your email first.',
  ]);
  hideToasts();
});
