import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSandboxWorld, type SandboxWorld } from '#test/delivery/sandbox-world.ts';

/** A page that takes cards in the gateway's fields, on an origin of its own, and the gateway. */
export interface ShopPage {
  url: string;
  world: SandboxWorld;
  /** Addresses and bodies of every request that the shop's own server got. */
  requests: string[];
  stop: () => Promise<void>;
}

const SCRIPT = `
window.told = [];
window.heard = [];
window.addEventListener('message', ({ data }) => window.heard.push(JSON.stringify(data)));
window.stripe = window.Stripe('pk_test_sandbox');
const elements = window.stripe.elements();
const style = { base: { color: 'rgb(238, 238, 238)', fontSize: '18px' }, invalid: { color: 'rgb(255, 136, 136)' } };
window.fields = {};
for (const type of ['cardNumber', 'cardExpiry', 'cardCvc']) {
  const field = elements.create(type, { style });
  window.fields[type] = field;
  for (const event of ['ready', 'change', 'focus', 'blur', 'escape']) {
    field.on(event, (detail) => window.told.push([event, detail]));
  }
  field.mount('#' + type);
}
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const card = elements.getElement('cardNumber');
  const billing = { name: 'Mia Cole', address: { country: 'US' } };
  const answer = await window.stripe.createPaymentMethod({ type: 'card', card, billing_details: billing });
  document.querySelector('output').textContent = answer.error?.code ?? answer.paymentMethod.id;
});
`;

const html = (script: string): string => `<!doctype html>
<html lang="en">
  <head>
    <title>Shop</title>
    <meta name="color-scheme" content="dark" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <form>
      <div id="cardNumber"></div><div id="cardExpiry"></div><div id="cardCvc"></div>
      <button>Pay</button><output></output>
    </form>
    <script src="${script}"></script><script src="/shop.js"></script>
  </body>
</html>`;

export async function openShop(): Promise<ShopPage> {
  const world = await openSandboxWorld();
  const requests: string[] = [];
  const policy = `default-src 'self'; script-src 'self' ${world.url}; frame-src ${world.url}; style-src 'self' 'unsafe-inline'; img-src data:`;
  const server = createServer((asked, answer) => {
    const heard = [asked.url];
    asked.on('data', (chunk) => heard.push(String(chunk)));
    asked.on('end', () => {
      requests.push(heard.join(' '));
      const isScript = asked.url === '/shop.js';
      answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      answer.setHeader('content-security-policy', policy);
      answer.end(isScript ? SCRIPT : html(`${world.url}/stripe/v3/stripe.js`));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    world,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      await world.close();
    },
  };
}
