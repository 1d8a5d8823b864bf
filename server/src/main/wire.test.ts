import { expect, onTestFinished, test } from 'vitest';
import { json, openScriptedServer } from '#server/adapters/http/scripted-server.fake.ts';
import { verifySignature } from '#server/adapters/provider/signature.ts';
import { SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { readConfig } from './config/config.ts';
import { systemClock } from './system.ts';
import { connectOutside, readSettings } from './wire.ts';

const SECRET = 'both-sides-sign-with-this-secret';

async function outsideSystem() {
  const server = await openScriptedServer(json({}, 404));
  onTestFinished(() => server.close());
  return server;
}

test('each client asks the system that is configured, with what that one knows it by', async () => {
  const [graph, provider, stripe] = await Promise.all([
    outsideSystem(),
    outsideSystem(),
    outsideSystem(),
  ]);
  const config = readConfig({
    APP_SECRET: 'x'.repeat(32),
    GRAPH_URL: `${graph.url}/graph`,
    GRAPH_TOKENS: '1784:a-token',
    GRAPH_IMAGE_HOSTS: 'cdn.example',
    PROVIDER_URL: `${provider.url}/likes`,
    PROVIDER_SECRET: SECRET,
    STRIPE_URL: stripe.url,
    STRIPE_SECRET_KEY: 'sk_test_1',
    SMTP_URL: 'smtp://mail.example:587',
  });
  const clients = connectOutside(config, readSettings(config));
  onTestFinished(async () => {
    for (const client of Object.values(clients)) await client.close();
  });
  await clients.network.readAccount({ bucketId: '1784', username: 'ada', limit: 1 });
  await clients.provider.readCapacity();
  await clients.gateway.findRefund({ gatewayChargeId: 'ch_1', refundId: 'one' });

  const [toGraph, toProvider, toStripe] = [graph, provider, stripe].map((one) => one.requests[0]);
  expect([graph, provider, stripe].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  expect(toGraph?.path).toMatch(/^\/graph\/v[\d.]+\/1784\?/);
  expect(JSON.stringify(toGraph)).toContain('a-token');
  expect(toProvider?.path).toBe('/likes/v1/capacity');
  const signature = toProvider?.headers[SIGNATURE_HEADER];
  const isSigned =
    toProvider && verifySignature(SECRET, String(signature), toProvider, systemClock.now());
  expect(isSigned).toBe(true);
  expect(toStripe?.path).toContain('ch_1');
  expect(JSON.stringify(toStripe?.headers)).toContain('sk_test_1');
});
