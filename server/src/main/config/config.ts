import { resolve } from 'node:path';
import type { OperatorIdentity } from '#shared/domain/people/operator.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { isMailbox } from '#server/adapters/mail/mailbox.ts';
import { parseNetwork } from '#server/kit/http/client-address.ts';
import { Environment } from './environment.ts';
import type { LogLevel } from '#server/kit/log.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import { type OutsideConfig, readOutside } from './outside-config.ts';
import { isPlainLine } from '#shared/domain/words/plain-line.ts';
import { StartError } from '#server/kit/start-error.ts';

/** Everything that can be configured; docs/operating.md lists the variables. */
export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  trustedProxies: string[];
  /** Health and metrics; unset: not served. Never the customers' port. */
  operator: { host: string; port: number } | undefined;
  /** How long a node told to stop goes on taking requests. */
  goOnMs: number;
  supportEmail: string;
  /** Unset, never in production: nobody is named on legal pages and in emails. */
  operatorIdentity: OperatorIdentity | undefined;
  /** Printed at the end of invoices and credit notes. */
  invoiceNote: string | undefined;
  mailFrom: string;
  /** Unset: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  logLevel: LogLevel;
  /** Unset: made and kept in `dataDir` (embedded database only). */
  appSecret: string | undefined;
  outside: OutsideConfig;
}

/** What holds where nothing is set, if it isn't the usual. */
export interface Presets {
  logLevel?: LogLevel;
  dataDir?: string;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const POSTGRES = ['postgres:', 'postgresql:'];
const NODE_ENVS = ['production', 'development', 'test'] as const;

/**
 * Reads the configuration; nothing else reads the environment.
 * @throws StartError that names the variable and says what to do
 */
export function readConfig(
  values: Record<string, string | undefined>,
  { logLevel = 'info', dataDir = './data' }: Presets = {},
): Config {
  const env = new Environment(values);
  const port = env.port('PORT', 3000);
  const databaseUrl = env.url('DATABASE_URL', POSTGRES);
  const appSecret = env.secret('APP_SECRET');
  if (databaseUrl !== undefined && appSecret === undefined) {
    throw new StartError(
      'APP_SECRET is not set: with DATABASE_URL every node needs the same one. Set it to 32 or more random characters.',
    );
  }
  const host = env.text('HOST') ?? '127.0.0.1';
  const publicUrl = readPublicUrl(env, port);
  const isProduction = readIsProduction(env, { host, publicUrl });
  const outside = readOutside(env, { isProduction, publicUrl });
  refuseLiveCardsWithoutPostgres(databaseUrl, outside);
  refuseSharedPorts(port, outside);
  return {
    host,
    port,
    publicUrl,
    trustedProxies: readProxies(env),
    operator: readOperator(env),
    goOnMs: env.seconds('DRAIN_SECONDS', 2) * 1000,
    supportEmail: readSupportEmail(env),
    operatorIdentity: readOperatorIdentity(env, isProduction || outside.stripe.isLive),
    invoiceNote: readInvoiceNote(env),
    mailFrom: env.text('MAIL_FROM') ?? `${PRODUCT_NAME} <no-reply@localhost>`,
    databaseUrl,
    dataDir: resolve(env.text('DATA_DIR') ?? dataDir),
    logLevel: env.oneOf('LOG_LEVEL', LOG_LEVELS) ?? logLevel,
    appSecret,
    outside,
  };
}

/** Two of our own listeners on one port would blame a stranger for it. */
function refuseSharedPorts(port: number, { sandbox }: OutsideConfig): void {
  if (!sandbox) return;
  const used = [port, sandbox.port, sandbox.smtpPort].filter((each) => each !== 0);
  if (new Set(used).size === used.length) return;
  throw new StartError('PORT, SANDBOX_PORT and SANDBOX_SMTP_PORT must be different ports.');
}

/** The embedded database never calls fsync: a power cut would forget what was paid. */
function refuseLiveCardsWithoutPostgres(
  databaseUrl: string | undefined,
  { stripe }: OutsideConfig,
): void {
  if (databaseUrl !== undefined || !stripe.isLive) return;
  throw new StartError(
    'DATABASE_URL is not set: with a live STRIPE_SECRET_KEY payments must survive a power cut, which only Postgres does.',
  );
}

/** Origin only: cookies, the same-site rule and provider events all build on it. */
function readPublicUrl(env: Environment, port: number): string {
  const text = env.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '') {
    throw new StartError('PUBLIC_URL has a path: the product needs a host name of its own.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new StartError('PUBLIC_URL is http: use https, only a loopback address may go without.');
  }
  return url.origin;
}

/** What others can reach is production, whatever NODE_ENV says: nobody gets a demo by mistake. */
function readIsProduction(
  env: Environment,
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
): boolean {
  const nodeEnv = env.oneOf('NODE_ENV', NODE_ENVS);
  const isReached = !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);
  if (nodeEnv !== 'production' && !isReached) return false;
  if (publicUrl.startsWith('https:')) return true;
  throw new StartError(
    'PUBLIC_URL is not an https address, which production needs: set it to the one that customers open. Without NODE_ENV=production and with HOST unset it may be left out.',
  );
}

/** Questions are kept nowhere but in their mails, so nothing starts with an address that gets none. */
function readSupportEmail(env: Environment): string {
  const address = env.text('SUPPORT_EMAIL') ?? 'support@localhost';
  if (isMailbox(address)) return address;
  throw new StartError(
    `SUPPORT_EMAIL is "${address}": write one address, such as help@example.com.`,
  );
}

/** Paying customers must know whom they pay; an address or a tax id without a name would be nobody's. */
function readOperatorIdentity(env: Environment, isRequired: boolean): OperatorIdentity | undefined {
  const name = env.text('OPERATOR_NAME');
  const address = env.text('OPERATOR_ADDRESS');
  const taxId = env.text('OPERATOR_TAX_ID');
  if (isRequired && (name === undefined || address === undefined)) {
    throw new StartError(
      `${name === undefined ? 'OPERATOR_NAME' : 'OPERATOR_ADDRESS'} is not set: in production the legal pages, invoices and emails must name who runs this. Set OPERATOR_NAME and OPERATOR_ADDRESS.`,
    );
  }
  if (name !== undefined) return { name, address, taxId };
  if (address === undefined && taxId === undefined) return undefined;
  throw new StartError(
    'OPERATOR_NAME is not set: OPERATOR_ADDRESS and OPERATOR_TAX_ID need the name they belong to.',
  );
}

const NOTE_MAX = 300;

function readInvoiceNote(env: Environment): string | undefined {
  const note = env.text('INVOICE_NOTE');
  if (note === undefined || (note.length <= NOTE_MAX && isPlainLine(note))) return note;
  throw new StartError(
    `INVOICE_NOTE must be one line of at most ${NOTE_MAX} characters: it’s printed on every invoice.`,
  );
}

/** Loopback unless told: what it serves is nobody else's business. */
function readOperator(env: Environment): Config['operator'] {
  if (env.text('OPERATOR_PORT') === undefined) return undefined;
  return {
    host: env.text('OPERATOR_HOST') ?? '127.0.0.1',
    port: env.port('OPERATOR_PORT', 0),
  };
}

function readProxies(env: Environment): string[] {
  const proxies = env.list('TRUSTED_PROXIES');
  const wrong = proxies.find((proxy) => !parseNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new StartError(
    `TRUSTED_PROXIES holds "${wrong}": list IP addresses or networks such as 10.0.0.0/8, separated by commas.`,
  );
}
