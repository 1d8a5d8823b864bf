import type { Environment } from './environment.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import { StartError } from '#server/kit/start-error.ts';
import { type GatewayConfig, readGateway, sandboxGateway } from './gateway-config.ts';

/** Where the four outside systems are. What isn't configured is served by the sandbox (D10). */
export interface OutsideConfig {
  graph: { url: string; tokens: Array<{ igUserId: string; token: string }>; imageHosts: string[] };
  /** Without a secret: the one kept in the data directory, which the sandbox finds there too. */
  provider: { url: string; secret: string | undefined };
  stripe: GatewayConfig;
  smtpUrl: string;
  /** Set while at least one system is the sandbox. */
  sandbox: SandboxConfig | undefined;
}

export interface SandboxConfig {
  port: number;
  smtpPort: number;
  /** Whether `npm start` begins with accounts that post now and then, and a customer of one of them. */
  hasDemo: boolean;
}

/** Names, not secrets: the sandbox gives nothing to whoever knows them but what it shows anyway. */
const SANDBOX_TOKEN = { igUserId: '17841400000000001', token: 'sandbox-token' };
const HTTP = ['http:', 'https:'];

export function readOutside(
  env: Environment,
  { isProduction, publicUrl }: { isProduction: boolean; publicUrl: string },
): OutsideConfig {
  const port = env.port('SANDBOX_PORT', 3001);
  const smtpPort = env.port('SANDBOX_SMTP_PORT', 3025);
  const hasDemo = env.oneOf('SANDBOX_DEMO', ['on', 'off']) !== 'off';
  const origin = `http://127.0.0.1:${port}`;
  const graph = readGraph(env);
  const provider = readProvider(env);
  const stripe = readGateway(env, publicUrl);
  const smtpUrl = env.url('SMTP_URL', ['smtp:', 'smtps:']);
  const isSandbox = !graph || !provider || !stripe || smtpUrl === undefined;
  if (isSandbox && stripe?.isLive) refuseWithLiveCards();
  if (isSandbox && isProduction) refuseUnlessAllowed(env);
  if (isProduction) refusePlain(env);
  return {
    graph: graph ?? {
      url: `${origin}/graph`,
      tokens: [SANDBOX_TOKEN],
      imageHosts: [`127.0.0.1:${port}`],
    },
    provider: provider ?? {
      url: `${origin}/provider`,
      secret: env.secret('SANDBOX_PROVIDER_SECRET'),
    },
    stripe: stripe ?? sandboxGateway(env, origin),
    smtpUrl: smtpUrl ?? `smtp://127.0.0.1:${smtpPort}`,
    sandbox: isSandbox ? { port, smtpPort, hasDemo } : undefined,
  };
}

function refuseUnlessAllowed(env: Environment): void {
  if (env.oneOf('SANDBOX', ['allow']) === 'allow') return;
  throw new StartError(
    'GRAPH_URL, PROVIDER_URL, STRIPE_URL and SMTP_URL are not all set, so in production likes, cards and mails would not be real. Set them, or set SANDBOX=allow.',
  );
}

/** Real money for likes that nobody gives, or mails that nobody gets. */
function refuseWithLiveCards(): never {
  throw new StartError(
    'STRIPE_SECRET_KEY is a live key, but GRAPH_URL, PROVIDER_URL and SMTP_URL are not all set: real money would buy what the sandbox plays. Set them, or use a test key.',
  );
}

/** Tokens, card numbers and codes would travel readable. */
function refusePlain(env: Environment): void {
  for (const name of ['GRAPH_URL', 'PROVIDER_URL', 'STRIPE_URL']) {
    const text = env.text(name) ?? '';
    const host = URL.parse(text)?.hostname ?? '';
    if (!text.startsWith('http:') || isLoopback(host)) continue;
    throw new StartError(`${name} is http: use https, only a loopback address may go without.`);
  }
}

function readGraph(env: Environment): OutsideConfig['graph'] | undefined {
  const url = env.url('GRAPH_URL', HTTP);
  if (url === undefined) return undefined;
  const tokens = env.list('GRAPH_TOKENS').map((entry) => {
    const [igUserId, token] = entry.split(':');
    if (igUserId && token && /^\d+$/.test(igUserId)) return { igUserId, token };
    throw new StartError('GRAPH_TOKENS must be a comma list of igUserId:token.');
  });
  if (tokens.length === 0)
    throw new StartError('GRAPH_TOKENS is not set: GRAPH_URL needs at least one igUserId:token.');
  const imageHosts = env.list('GRAPH_IMAGE_HOSTS');
  if (imageHosts.length === 0) {
    throw new StartError(
      'GRAPH_IMAGE_HOSTS is not set: list the hosts the network serves pictures from.',
    );
  }
  return { url, tokens, imageHosts };
}

function readProvider(env: Environment): OutsideConfig['provider'] | undefined {
  const url = env.url('PROVIDER_URL', HTTP);
  if (url === undefined) return undefined;
  const secret = env.secret('PROVIDER_SECRET');
  if (secret !== undefined) return { url, secret };
  throw new StartError(
    'PROVIDER_SECRET is not set: PROVIDER_URL needs the secret both sides sign with.',
  );
}
