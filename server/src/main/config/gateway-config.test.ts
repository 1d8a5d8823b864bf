import { expect, test } from 'vitest';
import { StartError } from '#server/kit/start-error.ts';
import { readConfig } from './config.ts';
import type { GatewayConfig } from './gateway-config.ts';

const EVENT_SECRET = `whsec_${'x'.repeat(32)}`;
const ELSEWHERE = {
  GRAPH_URL: 'https://graph.example',
  GRAPH_TOKENS: '1784:abc',
  GRAPH_IMAGE_HOSTS: 'cdn.example',
  PROVIDER_URL: 'https://provider.example',
  PROVIDER_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtp://mail.example:587',
};
const TEST_KEYS = {
  STRIPE_URL: 'https://api.stripe.com',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
};
const LIVE = {
  ...ELSEWHERE,
  STRIPE_URL: 'https://api.stripe.com',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_EVENT_SECRET: EVENT_SECRET,
  PUBLIC_URL: 'https://ovation.example',
  OPERATOR_NAME: 'Acme Inc.',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
  DATABASE_URL: 'postgres://db/ovation',
  APP_SECRET: 'x'.repeat(32),
};
const STRIPES = 'https://js.stripe.com/endive/stripe.js';

function gatewayOf(values: Record<string, string | undefined>): GatewayConfig {
  return readConfig(values).outside.stripe;
}

test('the sandbox plays the gateway with the product’s own form, or with fields of its own', () => {
  expect(gatewayOf({})).toEqual({
    url: 'http://127.0.0.1:3001/stripe',
    secretKey: 'sk_test_sandbox',
    isLive: false,
    eventSecrets: ['whsec_sandbox'],
    cardEntry: { way: 'form' },
  });
  expect(gatewayOf({ CARD_ENTRY: 'gateway', SANDBOX_PORT: '4001' }).cardEntry).toEqual({
    way: 'gateway',
    publishableKey: 'pk_test_sandbox',
    scriptUrl: 'http://127.0.0.1:4001/stripe/v3/stripe.js',
  });
});

test('with test keys the form is the preset, and the gateway’s fields can be chosen', () => {
  expect(gatewayOf(TEST_KEYS).cardEntry).toEqual({ way: 'form' });
  expect(gatewayOf({ ...TEST_KEYS, CARD_ENTRY: 'gateway' }).cardEntry).toEqual({
    way: 'gateway',
    publishableKey: 'pk_test_1',
    scriptUrl: STRIPES,
  });
  const local = 'http://localhost:3001/stripe/v3/stripe.js';
  const routed = { ...TEST_KEYS, CARD_ENTRY: 'gateway', STRIPE_SCRIPT_URL: local };
  expect(gatewayOf(routed).cardEntry).toMatchObject({ scriptUrl: local });
});

test('with live keys the gateway’s fields are the only way', () => {
  const gateway = {
    isLive: true,
    eventSecrets: [EVENT_SECRET],
    cardEntry: { way: 'gateway', publishableKey: 'pk_live_1', scriptUrl: STRIPES },
  };
  expect(gatewayOf(LIVE)).toMatchObject(gateway);
  expect(gatewayOf({ ...LIVE, CARD_ENTRY: 'gateway' })).toMatchObject(gateway);
  expect(gatewayOf({ ...LIVE, STRIPE_SECRET_KEY: 'rk_live_1' })).toMatchObject(gateway);
});

test('an old event secret holds beside the new one', () => {
  const old = `whsec_${'y'.repeat(40)}`;
  const both = { ...LIVE, STRIPE_EVENT_SECRET: `${EVENT_SECRET}, ${old}` };
  expect(gatewayOf(both).eventSecrets).toEqual([EVENT_SECRET, old]);
});

test.each([
  ['CARD_ENTRY', { ...LIVE, CARD_ENTRY: 'form' }],
  ['CARD_ENTRY', { CARD_ENTRY: 'hosted' }],
  ['STRIPE_PUBLISHABLE_KEY', { ...LIVE, STRIPE_PUBLISHABLE_KEY: undefined }],
  ['STRIPE_PUBLISHABLE_KEY', { ...LIVE, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
  ['STRIPE_PUBLISHABLE_KEY', { ...LIVE, STRIPE_PUBLISHABLE_KEY: 'sk_live_1' }],
  [
    'STRIPE_PUBLISHABLE_KEY',
    { ...TEST_KEYS, CARD_ENTRY: 'gateway', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
  ],
  [
    'STRIPE_PUBLISHABLE_KEY',
    { ...TEST_KEYS, CARD_ENTRY: 'gateway', STRIPE_PUBLISHABLE_KEY: undefined },
  ],
  ['STRIPE_EVENT_SECRET', { ...LIVE, STRIPE_EVENT_SECRET: undefined }],
  ['STRIPE_EVENT_SECRET', { ...TEST_KEYS, STRIPE_EVENT_SECRET: 'whsec_short' }],
  ['STRIPE_EVENT_SECRET', { ...LIVE, STRIPE_EVENT_SECRET: `${EVENT_SECRET},${'x'.repeat(40)}` }],
  ['PUBLIC_URL', { ...LIVE, PUBLIC_URL: undefined, HOST: undefined }],
  ['PUBLIC_URL', { ...LIVE, PUBLIC_URL: 'http://localhost:3000' }],
  ['DATABASE_URL', { ...LIVE, DATABASE_URL: undefined }],
  ['STRIPE_URL', { STRIPE_SECRET_KEY: 'sk_live_1' }],
  ['STRIPE_SECRET_KEY', { ...TEST_KEYS, STRIPE_SECRET_KEY: 'pk_test_1' }],
  ['STRIPE_SECRET_KEY', { ...TEST_KEYS, STRIPE_SECRET_KEY: undefined }],
  ['STRIPE_SECRET_KEY', { ...LIVE, PROVIDER_URL: undefined, SANDBOX: 'allow' }],
  [
    'STRIPE_SCRIPT_URL',
    { ...LIVE, STRIPE_SCRIPT_URL: 'https://js.stripe.com.evil.example/stripe.js' },
  ],
  ['STRIPE_SCRIPT_URL', { ...LIVE, STRIPE_SCRIPT_URL: 'http://js.stripe.com/stripe.js' }],
  ['STRIPE_SCRIPT_URL', { ...LIVE, STRIPE_SCRIPT_URL: 'http://127.0.0.1:3001/stripe.js' }],
  ['STRIPE_SCRIPT_URL', { ...TEST_KEYS, STRIPE_SCRIPT_URL: 'https://cdn.example/stripe.js' }],
])('what would let real cards in unsafely is refused in one line: %s, %j', (name, values) => {
  const read = (): unknown => readConfig(values);
  expect(read).toThrow(StartError);
  expect(read).toThrow(new RegExp(`^${name}[^\\n]+$`));
});

test('no refusal repeats a key or a secret', () => {
  const secret = 'hunter2';
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_EVENT_SECRET']) {
    expect(() => readConfig({ ...LIVE, [name]: secret })).toThrow(/^(?!.*hunter2)/);
  }
});
