import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { type SMTPServerDataStream, type SMTPServerSession, SMTPServer } from 'smtp-server';
import type { SandboxContext } from '../context.ts';
import { type Fault, numberOption, textOption } from '../faults.ts';
import { SandboxStartError } from '../settings.ts';
import type { MessageStore } from './message-store.ts';

/** What `POST /control/faults` takes for `mail`; see `openSmtpSink`. */
export const MAIL_SCENARIOS = ['down', 'slow', 'busy', 'reject', 'lost_answer'] as const;
type MailScenario = (typeof MAIL_SCENARIOS)[number];

interface SmtpSink {
  port: number;
  close(): Promise<void>;
}

const MAX_BYTES = 5 * 1024 * 1024;
/** Open connections get this long to end by themselves when the sink closes. */
const CLOSE_MS = 300;

/** A reply of the server other than yes; 4xx may be tried again, 5xx not. */
class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.name = 'SmtpRefusal';
    this.responseCode = responseCode;
  }
}

/**
 * Takes every mail on 127.0.0.1, without login or TLS, and passes none on. Scenarios, each with
 * `fraction` and `times`: `down` (421 at once), `slow {delayMs}` (before the last word), `busy` (451),
 * `reject {to?}` (550), `lost_answer` (taken, but the connection breaks before it says so).
 * @throws SandboxStartError 'port'
 */
export async function openSmtpSink(ctx: SandboxContext, messages: MessageStore): Promise<SmtpSink> {
  const played = (scenario: MailScenario, to?: string): Fault | undefined =>
    ctx.faults.take('mail', scenario, ({ options }) => {
      const only = textOption(options, 'to')?.toLowerCase();
      const isMeant = only === undefined || to === undefined || only === to.toLowerCase();
      return isMeant && ctx.random() < numberOption(options, 'fraction', 1);
    });

  const receive = async (
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<void> => {
    const raw = await readWhole(stream);
    const slow = played('slow');
    if (slow) await sleep(numberOption(slow.options, 'delayMs', 2000), undefined, { ref: false });
    const { rcptTo, mailFrom } = session.envelope;
    const mail = await PostalMime.parse(raw);
    for (const { address } of rcptTo) {
      messages.add({
        to: address,
        from: mail.from?.address ?? (mailFrom ? mailFrom.address : ''),
        subject: mail.subject ?? '',
        text: (mail.text ?? '').replaceAll('\r\n', '\n').trimEnd(),
        html: mail.html ?? null,
        at: ctx.now(),
      });
    }
    ctx.stats.count('mail.received');
    if (played('lost_answer')) breakOff(session);
  };

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    closeTimeout: CLOSE_MS,
    onConnect: (_session, callback) =>
      callback(played('down') ? new SmtpRefusal(421, 'Service not available') : null),
    onRcptTo({ address }, _session, callback) {
      if (played('reject', address)) callback(new SmtpRefusal(550, 'No such mailbox'));
      else if (played('busy', address)) callback(new SmtpRefusal(451, 'Try again later'));
      else callback();
    },
    onData(stream, session, callback) {
      void settle(receive(stream, session), callback);
    },
  });
  const breakOff = (session: SMTPServerSession): void => {
    for (const connection of server.connections) {
      if (connection.id === session.id) connection.close();
    }
  };
  const port = await listen(server, ctx.settings.smtpPort);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

async function settle(
  work: Promise<void>,
  callback: (error?: Error | null) => void,
): Promise<void> {
  let failure: Error | null = null;
  try {
    await work;
  } catch (error) {
    failure = error instanceof Error ? error : new SmtpRefusal(451, 'Try again later');
  }
  callback(failure);
}

async function readWhole(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  if (stream.sizeExceeded) throw new SmtpRefusal(552, 'The mail is too large');
  return Buffer.concat(chunks);
}

async function listen(server: SMTPServer, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (cause: unknown) => {
    const message = `Port ${port} on 127.0.0.1 can’t be used for email: stop what uses it, or set SANDBOX_SMTP_PORT to another one.`;
    reject(new SandboxStartError('port', message, { cause }));
  });
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  // From here on errors belong to single connections, whose clients notice them.
  server.on('error', () => undefined);
  return (server.server.address() as AddressInfo).port;
}
