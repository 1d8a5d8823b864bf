import { onTestFinished } from 'vitest';
import {
  openScriptedServer,
  patienceMs,
  type Script,
  type ScriptedServer,
} from '#server/adapters/http/scripted-server.fake.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';

/** The gateway over a server that answers as a test says, until the test ends. */
export async function openScriptedStripe(
  script: Script,
): Promise<{ server: ScriptedServer; gateway: CardGateway }> {
  const server = await openScriptedServer(script);
  const gateway = createStripeGateway({
    stripeUrl: `${server.url}/cards/`,
    secretKey: 'sk_test_x',
    timeoutMs: patienceMs(script),
  });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  return { server, gateway };
}
