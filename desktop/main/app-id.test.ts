import { expect, test } from 'vitest';
import { packageConfig } from '../package-config.ts';
import { APP_ID } from './app-id.ts';

test('the app is known to the system by the name of its packages', () => {
  expect(packageConfig(undefined).appId).toBe(APP_ID);
});
