import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { StartError } from '#server/kit/start-error.ts';

const SECRET = 'x'.repeat(32);
const OUTSIDE = {
  GRAPH_URL: 'https://graph.example',
  GRAPH_TOKENS: '1784:abc,1785:def',
  GRAPH_IMAGE_HOSTS: 'cdn.example',
  PROVIDER_URL: 'https://provider.example/',
  PROVIDER_SECRET: SECRET,
  STRIPE_URL: 'https://api.stripe.example',
  STRIPE_SECRET_KEY: 'sk_test_1',
  SMTP_URL: 'smtp://mail.example:587',
};

test('with nothing set the product runs on loopback, the embedded database and the sandbox', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
  });
  expect(config.outside.sandbox).toEqual({ port: 3001, smtpPort: 3025, hasDemo: true });
  expect(readConfig({ SANDBOX_DEMO: 'off' }).outside.sandbox?.hasDemo).toBe(false);
  expect(config.outside.graph.imageHosts).toEqual(['127.0.0.1:3001']);
});

test('with all four outside systems set there is no sandbox', () => {
  const { outside } = readConfig(OUTSIDE);
  expect(outside.sandbox).toBeUndefined();
  expect(outside.provider.url).toBe('https://provider.example');
  expect(outside.graph.tokens).toEqual([
    { igUserId: '1784', token: 'abc' },
    { igUserId: '1785', token: 'def' },
  ]);
});

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://ovation.example',
  OPERATOR_NAME: 'Acme Inc.',
  OPERATOR_ADDRESS: '1 Main Street, Springfield',
};

test('production refuses the sandbox unless it is allowed', () => {
  expect(() => readConfig(PRODUCTION)).toThrow('SANDBOX=allow');
  expect(readConfig({ ...PRODUCTION, SANDBOX: 'allow' }).outside.sandbox).toBeDefined();
  expect(readConfig({ ...PRODUCTION, ...OUTSIDE }).outside.sandbox).toBeUndefined();
});

test.each([
  { PUBLIC_URL: 'https://ovation.example' },
  { PUBLIC_URL: 'https://127.0.0.1.example', NODE_ENV: 'development' },
  { PUBLIC_URL: 'https://ovation.example', HOST: '0.0.0.0' },
  { PUBLIC_URL: 'https://localhost', HOST: '::' },
  { PUBLIC_URL: 'https://localhost', HOST: '192.168.1.20', NODE_ENV: 'test' },
])('what others can reach is production: %j', (values) => {
  expect(() => readConfig(values)).toThrow('SANDBOX=allow');
});

test('this machine alone is no production', () => {
  for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
    expect(readConfig({ HOST }).outside.sandbox).toBeDefined();
  }
  expect(readConfig({ PUBLIC_URL: 'http://[::1]:3000' }).outside.sandbox).toBeDefined();
  expect(readConfig({ PUBLIC_URL: 'https://localhost:8443' }).outside.sandbox).toBeDefined();
});

test('production without an https address for customers is refused', () => {
  const said = /^PUBLIC_URL is not an https address[^\n]+$/;
  expect(() => readConfig({ NODE_ENV: 'production', ...OUTSIDE })).toThrow(said);
  expect(() => readConfig({ HOST: '0.0.0.0', ...OUTSIDE })).toThrow(said);
  const onLoopback = { ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000' };
  expect(() => readConfig({ ...onLoopback, ...OUTSIDE })).toThrow(said);
});

test.each(['OPERATOR_NAME', 'OPERATOR_ADDRESS'])(
  'production without %s is refused: who pays must know who is paid',
  (name) => {
    const said = new RegExp(`^${name} is not set[^\\n]+Set OPERATOR_NAME and OPERATOR_ADDRESS\\.$`);
    const unnamed = { ...OUTSIDE, ...PRODUCTION, [name]: undefined };
    expect(() => readConfig(unnamed)).toThrow(said);
    expect(() => readConfig({ ...unnamed, NODE_ENV: undefined })).toThrow(said);
    expect(() => readConfig({ ...unnamed, SANDBOX: 'allow' })).toThrow(said);
    expect(readConfig({ ...OUTSIDE, ...PRODUCTION }).operatorIdentity?.name).toBe('Acme Inc.');
  },
);

test('the sandbox’s secret is in no source: it is kept in the data directory, or set', () => {
  expect(readConfig({}).outside.provider.secret).toBeUndefined();
  expect(readConfig({ SANDBOX_PROVIDER_SECRET: SECRET }).outside.provider.secret).toBe(SECRET);
});

test('production refuses to talk plainly to the outside, but for this machine', () => {
  const production = { ...OUTSIDE, ...PRODUCTION };
  for (const name of ['GRAPH_URL', 'PROVIDER_URL', 'STRIPE_URL']) {
    expect(() => readConfig({ ...production, [name]: 'http://outside.example' })).toThrow(name);
    expect(() => readConfig({ ...production, [name]: 'http://127.0.0.1.example' })).toThrow(name);
    expect(() => readConfig({ ...production, [name]: 'http://127.0.0.1:3001/x' })).not.toThrow();
    expect(() => readConfig({ ...OUTSIDE, [name]: 'http://outside.example' })).not.toThrow();
  }
});

test('a secret may stand in a file, and a file that is not there is named', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ovation-secret-'));
  const path = join(directory, 'secret');
  writeFileSync(path, `${SECRET}-from-a-file\n`);
  expect(readConfig({ APP_SECRET_FILE: path }).appSecret).toBe(`${SECRET}-from-a-file`);
  expect(readConfig({ APP_SECRET: SECRET, APP_SECRET_FILE: path }).appSecret).toBe(SECRET);
  const database = () => readConfig({ DATABASE_URL_FILE: join(directory, 'nothing') });
  expect(database).toThrow(/^DATABASE_URL_FILE names a file that can’t be read[^\n]+$/);
  rmSync(directory, { recursive: true });
});

test.each([
  ['PORT', { PORT: '70000' }],
  ['SANDBOX_PORT', { SANDBOX_PORT: 'x' }],
  ['PORT', { PORT: '3001' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'ovation.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://ovation.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://ovation.example/app' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1,proxy' }],
  ['OPERATOR_NAME', { OPERATOR_TAX_ID: '12-3456789' }],
  ['INVOICE_NOTE', { INVOICE_NOTE: 'x'.repeat(301) }],
  ['INVOICE_NOTE', { INVOICE_NOTE: 'two\nlines' }],
  ['SUPPORT_EMAIL', { SUPPORT_EMAIL: 'Help <help@example.com>' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['APP_SECRET', { DATABASE_URL: 'postgres://x/y' }],
  ['APP_SECRET', { APP_SECRET: 'short' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['DRAIN_SECONDS', { DRAIN_SECONDS: '61' }],
  ['SANDBOX', { SANDBOX: 'maybe', ...PRODUCTION }],
  ['NODE_ENV', { NODE_ENV: 'Production' }],
  ['NODE_ENV', { NODE_ENV: 'prod', ...OUTSIDE }],
  ['GRAPH_TOKENS', { ...OUTSIDE, GRAPH_TOKENS: '' }],
  ['GRAPH_TOKENS', { ...OUTSIDE, GRAPH_TOKENS: 'abc' }],
  ['GRAPH_IMAGE_HOSTS', { ...OUTSIDE, GRAPH_IMAGE_HOSTS: '' }],
  ['PROVIDER_SECRET', { ...OUTSIDE, PROVIDER_SECRET: '' }],
  ['STRIPE_SECRET_KEY', { ...OUTSIDE, STRIPE_SECRET_KEY: '' }],
  ['SMTP_URL', { ...OUTSIDE, SMTP_URL: 'mail.example' }],
])('a wrong %s is refused in one line that names it', (name, values) => {
  const read = () => readConfig(values);
  expect(read).toThrow(StartError);
  expect(read).toThrow(new RegExp(`^${name}[^\\n]+$`));
});

test('no error repeats a secret', () => {
  expect(() => readConfig({ ...OUTSIDE, PROVIDER_SECRET: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
  expect(() => readConfig({ DATABASE_URL: 'http://u:hunter2@h' })).toThrow(/^(?!.*hunter2)/);
});
