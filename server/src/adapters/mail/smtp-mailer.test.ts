import { createServer, type AddressInfo, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { mailerConformance, type MailerWorld, type ReceivedMail } from './mailer.conformance.ts';
import type { Mail } from './mailer.ts';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { createSmtpMailer, needsTls } from './smtp-mailer.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const FROM = 'Ovation <hello@ovation.test>';
const MAIL: Mail = {
  id: 'mail-1',
  to: 'ada@example.test',
  subject: 'Hello',
  text: 'Hello.',
  html: '<p>Hello.</p>',
};

interface Sink {
  url: string;
  raw: string[];
  close(): Promise<void>;
}

async function openSink(options: SMTPServerOptions = {}): Promise<Sink> {
  const raw: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        raw.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
    ...options,
  });
  // A client that gives up resets the connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
    });
  return { url: `smtp://127.0.0.1:${port}`, raw, close };
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('Not now'), { responseCode });
}

mailerConformance('The SMTP mailer', async (): Promise<MailerWorld> => {
  const refusals: Error[] = [];
  const sink = await openSink({
    onRcptTo: (_address, _session, done) => done(refusals.shift()),
  });
  const mailer = createSmtpMailer({ smtpUrl: sink.url, from: FROM, timeoutMs: patiently(WAIT_MS) });
  return {
    mailer,
    received: () => Promise.all(sink.raw.map(parse)),
    deferOnce: () => Promise.resolve(void refusals.push(refusal(451))),
    refuseOnce: () => Promise.resolve(void refusals.push(refusal(550))),
    close: async () => {
      await mailer.close();
      await sink.close();
    },
  };
});

async function parse(raw: string): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  const to = mail.to?.map(({ address }) => address).join(',') ?? '';
  const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
    fileName: filename ?? '',
    type: mimeType,
    content: Buffer.from(content as ArrayBuffer),
  }));
  const { subject = '', text = '' } = mail;
  return { to, subject, text, headers: listHeadersOf(mail.headers), attachments };
}

function listHeadersOf(headers: Email['headers']): Mail['headers'] {
  const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value;
  const [url, post] = [valueOf('list-unsubscribe'), valueOf('list-unsubscribe-post')];
  if (url === undefined && post === undefined) return undefined;
  return { 'List-Unsubscribe': url, 'List-Unsubscribe-Post': post } as Mail['headers'];
}

async function openMailer(options: SMTPServerOptions = {}) {
  const sink = await openSink(options);
  const mailer = createSmtpMailer({ smtpUrl: sink.url, from: FROM, timeoutMs: patiently(WAIT_MS) });
  closers.push(
    () => sink.close(),
    () => mailer.close(),
  );
  return { sink, mailer };
}

test('a mail sent again carries the same Message-ID', async () => {
  const { sink, mailer } = await openMailer();
  await mailer.send(MAIL);
  await mailer.send(MAIL);
  const ids = sink.raw.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
  expect(ids).toEqual(['<mail-1@ovation.test>', '<mail-1@ovation.test>']);
});

test('line ends in a subject or an id make no further header', async () => {
  const { sink, mailer } = await openMailer();
  await mailer.send({
    ...MAIL,
    id: 'x>\r\nBcc: eve@example.test',
    subject: 'Hi\r\nBcc: eve@example.test\n\nAnd a body\u2028too',
  });
  const mail = await PostalMime.parse(sink.raw[0] ?? '');
  expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail.subject).toBe('Hi Bcc: eve@example.test And a body too');
  expect(mail.text?.trim()).toBe('Hello.');
});

test.for([
  [451, 'onRcptTo', 'unavailable'],
  [550, 'onRcptTo', 'refused'],
  [421, 'onMailFrom', 'unavailable'],
  [550, 'onMailFrom', 'unavailable'],
  [452, 'onData', 'unavailable'],
  [554, 'onData', 'refused'],
  [554, 'onConnect', 'unavailable'],
] as const)('a %i at %s makes it %s', async ([code, step, kind]) => {
  const options: SMTPServerOptions = {
    onRcptTo: (_address, _session, done) => done(refusal(code)),
    onMailFrom: (_address, _session, done) => done(refusal(code)),
    onConnect: (_session, done) => done(refusal(code)),
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done(refusal(code)));
    },
  };
  const { mailer } = await openMailer({ [step]: options[step] });
  expect((await mailer.send(MAIL)).kind).toBe(kind);
});

async function openRawServer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(
    (): Promise<void> =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const BROKEN_SERVERS: Record<string, (socket: Socket) => void> = {
  silent: () => undefined,
  'talking HTTP': (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'hanging up': (socket) => void socket.resetAndDestroy(),
  'trickling its greeting': (socket) => {
    const timer = setInterval(() => socket.write('2'), 50);
    socket.on('close', () => clearInterval(timer));
  },
};

test.for(Object.entries(BROKEN_SERVERS))('a server %s is unavailable', async ([, talk]) => {
  const smtpUrl = await openRawServer(talk);
  const mailer = createSmtpMailer({ smtpUrl, from: FROM, timeoutMs: 300 });
  closers.push(() => mailer.close());
  expect((await mailer.send(MAIL)).kind).toBe('unavailable');
});

test('a server that is not there is unavailable', async () => {
  const { sink, mailer } = await openMailer();
  await sink.close();
  expect((await mailer.send(MAIL)).kind).toBe('unavailable');
});

test('after close nothing is sent any more', async () => {
  const { sink, mailer } = await openMailer();
  await mailer.close();
  expect((await mailer.send(MAIL)).kind).toBe('unavailable');
  expect(sink.raw).toEqual([]);
});

test.each([
  ['smtp://mail.example:587', true],
  ['smtp://user:pass@127.0.0.1.mail.example', true],
  ['smtps://mail.example', false],
  ['smtp://127.0.0.1:3025', false],
  ['smtp://relay.internal/?ignoreTLS=true', false],
])('%s must be talked to under STARTTLS: %s', (smtpUrl, isNeeded) => {
  expect(needsTls(smtpUrl)).toBe(isNeeded);
});
