import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MailPart } from './context.ts';
import { registerMail } from './mail.ts';
import type { OutsideWorld } from './outside-world.fake.ts';
import { createOutsideWorld } from './outside-world.fake.ts';

let world: OutsideWorld;
let part: MailPart;

beforeEach(async () => {
  world = createOutsideWorld();
  part = await registerMail(world.app, world.ctx);
});

afterEach(async () => {
  await part.close?.();
  world.drop();
});

interface Listed {
  to: string;
  subject: string;
  text: string;
  at: string;
}

async function listed(to?: string): Promise<Listed[]> {
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (await (await world.app.request(`/control/mails${query}`)).json()) as Listed[];
}

async function post(mail: {
  to: string | string[];
  subject?: string;
  text?: string;
  html?: string;
}) {
  const transport = createTransport({ host: '127.0.0.1', port: part.smtpPort, secure: false });
  const whole = { from: 'Ovation <hello@ovation.example>', subject: 'Welcome', ...mail };
  return await transport.sendMail(whole).finally(() => transport.close());
}

async function show(path: string): Promise<string> {
  return await (await world.app.request(path)).text();
}

test('a mail is listed with what a person would read', async () => {
  const text = 'Grüße aus Zürich — your code is 123456.\nBye';
  await post({ to: 'Mia@example.com', subject: 'Ihr Code für später ✓', text });
  expect(await listed()).toEqual([
    {
      to: 'Mia@example.com',
      subject: 'Ihr Code für später ✓',
      text,
      at: '2026-11-20T12:00:00.000Z',
    },
  ]);
});

test('mails are found by recipient in any case, newest first', async () => {
  await post({ to: 'mia@example.com', subject: 'First' });
  await post({ to: ['ben@example.com', 'mia@example.com'], subject: 'Second' });
  expect((await listed('MIA@example.com')).map(({ subject }) => subject)).toEqual([
    'Second',
    'First',
  ]);
  expect((await listed('ben@example.com')).map(({ subject }) => subject)).toEqual(['Second']);
  expect(await listed('nobody@example.com')).toEqual([]);
});

test('the mail page lists mails and shows one, its HTML locked in', async () => {
  expect(await show('/mail')).toContain('No emails yet');
  const html = '<p>Hello <script>alert(1)</script><b>Mia</b></p>';
  await post({ to: 'mia@example.com', subject: '<i>Hi</i>', text: 'Hello <Mia>', html });
  expect(await show('/mail')).toContain('&lt;i&gt;Hi&lt;/i&gt;');
  expect(await show('/mail?to=mia@example.com')).toContain('href="/mail/1"');
  const page = await show('/mail/1');
  expect(page).toContain('Hello &lt;Mia&gt;');
  expect(page).not.toContain('<b>Mia</b>');
  expect(page).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  const message = await world.app.request('/mail/1/html');
  expect(await message.text()).toContain(html);
  expect(message.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/);
  expect((await world.app.request('/mail/99')).status).toBe(404);
  expect((await world.app.request('/mail/1x/html')).status).toBe(404);
});

test('a server that is down, busy or refuses takes nothing, and says whether to try again', async () => {
  for (const [scenario, responseCode] of [
    ['down', 421],
    ['busy', 451],
    ['reject', 550],
  ] as const) {
    world.ctx.faults.set('mail', scenario, { times: 1 });
    await expect(post({ to: 'mia@example.com' })).rejects.toMatchObject({ responseCode });
  }
  expect(await listed()).toEqual([]);
  await post({ to: 'mia@example.com' });
  expect(await listed()).toHaveLength(1);
});

test('a single recipient can be refused', async () => {
  world.ctx.faults.set('mail', 'reject', { to: 'Ben@example.com' });
  await post({ to: 'mia@example.com' });
  await expect(post({ to: 'ben@example.com' })).rejects.toMatchObject({ responseCode: 550 });
  expect(await listed()).toHaveLength(1);
});

test('an answer can get lost after the mail was taken', async () => {
  world.ctx.faults.set('mail', 'lost_answer', { times: 1 });
  await expect(post({ to: 'mia@example.com' })).rejects.toMatchObject({
    code: 'ECONNECTION',
  });
  expect(await listed()).toHaveLength(1);
});

test('a slow server takes the mail in the end', async () => {
  world.ctx.faults.set('mail', 'slow', { times: 1, delayMs: 30 });
  await post({ to: 'mia@example.com' });
  expect(await listed()).toHaveLength(1);
});

test('a mail that is too large is refused', async () => {
  const text = 'x'.repeat(6 * 1024 * 1024);
  await expect(post({ to: 'mia@example.com', text })).rejects.toMatchObject({ responseCode: 552 });
  expect(await listed()).toEqual([]);
});

test('a port in use is said in one line', async () => {
  const other = createOutsideWorld();
  const settings = { ...other.ctx.settings, smtpPort: part.smtpPort };
  await expect(registerMail(other.app, { ...other.ctx, settings })).rejects.toMatchObject({
    failure: 'port',
    message: expect.stringContaining('SANDBOX_SMTP_PORT') as string,
  });
  other.drop();
});
