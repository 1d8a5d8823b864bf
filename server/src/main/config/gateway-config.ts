import type { CardEntry } from '#shared/contract/about.ts';
import { STRIPE_SCRIPT_HOST } from '#shared/domain/words/content-policy.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import { StartError } from '#server/kit/start-error.ts';
import type { Environment } from './environment.ts';

/** The card gateway, and how a customer's card gets there. */
export interface GatewayConfig {
  url: string;
  secretKey: string;
  /** Real money moves. */
  isLive: boolean;
  /** What the gateway's events are signed with, two while one is replaced; none: no event is believed. */
  eventSecrets: readonly string[];
  cardEntry: CardEntry;
}

const HTTP = ['http:', 'https:'];
/** What `@stripe/stripe-js` of this product loads. */
const STRIPE_SCRIPT = `https://${STRIPE_SCRIPT_HOST}/endive/stripe.js`;
const SECRET_KEY = /^(?:sk|rk)_(test|live)_\S+$/;
const PUBLISHABLE_KEY = /^pk_(test|live)_\S+$/;
const EVENT_SECRET_MIN = 32;

/**
 * The gateway that is configured; undefined where the sandbox plays it.
 * @throws StartError unless card entry, keys and secrets fit each other (D4)
 */
export function readGateway(env: Environment, publicUrl: string): GatewayConfig | undefined {
  const url = env.url('STRIPE_URL', HTTP);
  const secretKey = env.text('STRIPE_SECRET_KEY');
  const mode = secretKey === undefined ? undefined : modeOf(secretKey);
  if (url === undefined) {
    if (mode !== 'live') return undefined;
    throw new StartError(
      'STRIPE_URL is not set, but STRIPE_SECRET_KEY is a live key: set it to https://api.stripe.com.',
    );
  }
  if (secretKey === undefined || mode === undefined) {
    throw new StartError('STRIPE_SECRET_KEY is not set: STRIPE_URL needs it.');
  }
  const eventSecrets = readEventSecrets(env);
  const isLive = mode === 'live';
  if (isLive) refuseUnsafeLive(env, { publicUrl, eventSecrets });
  const cardEntry = readCardEntry(env, {
    way: isLive ? 'gateway' : 'form',
    publishableKey: env.text('STRIPE_PUBLISHABLE_KEY'),
    scriptUrl: readScriptUrl(env, isLive) ?? STRIPE_SCRIPT,
  });
  if (cardEntry.way === 'gateway') refuseOtherMode(cardEntry.publishableKey, mode);
  return { url, secretKey, isLive, eventSecrets, cardEntry };
}

/** The sandbox in its place. Names, not secrets: the sandbox is no bank. */
export function sandboxGateway(env: Environment, sandboxOrigin: string): GatewayConfig {
  return {
    url: `${sandboxOrigin}/stripe`,
    secretKey: 'sk_test_sandbox',
    isLive: false,
    eventSecrets: ['whsec_sandbox'],
    cardEntry: readCardEntry(env, {
      way: 'form',
      publishableKey: 'pk_test_sandbox',
      scriptUrl: `${sandboxOrigin}/stripe/v3/stripe.js`,
    }),
  };
}

function modeOf(secretKey: string): 'test' | 'live' {
  const [, mode] = SECRET_KEY.exec(secretKey) ?? [];
  if (mode === 'test' || mode === 'live') return mode;
  throw new StartError(
    'STRIPE_SECRET_KEY is no secret key of the gateway: it begins with sk_test_, sk_live_, rk_test_ or rk_live_.',
  );
}

/** With real cards nothing is left to be set later. */
function refuseUnsafeLive(
  env: Environment,
  { publicUrl, eventSecrets }: { publicUrl: string; eventSecrets: readonly string[] },
): void {
  if (env.text('CARD_ENTRY') === 'form') {
    throw new StartError(
      'CARD_ENTRY is "form", but STRIPE_SECRET_KEY is a live key: real cards are entered in the gateway’s own fields only. Set CARD_ENTRY=gateway, or leave it unset.',
    );
  }
  if (!publicUrl.startsWith('https:')) {
    throw new StartError(
      'PUBLIC_URL is not an https address, which a live STRIPE_SECRET_KEY needs: set it to the one that customers open.',
    );
  }
  if (eventSecrets.length > 0) return;
  throw new StartError(
    'STRIPE_EVENT_SECRET is not set: with a live STRIPE_SECRET_KEY the gateway’s events must be heard. Set it to the signing secret of the endpoint PUBLIC_URL/stripe/events.',
  );
}

/** A comma list, so that an old one holds while the gateway still signs with it. */
function readEventSecrets(env: Environment): string[] {
  const secrets = env.list('STRIPE_EVENT_SECRET');
  const isWrong = secrets.some(
    (secret) => !secret.startsWith('whsec_') || secret.length < EVENT_SECRET_MIN,
  );
  if (!isWrong) return secrets;
  throw new StartError(
    'STRIPE_EVENT_SECRET is no signing secret of the gateway: one begins with whsec_ and has 32 or more characters; two are separated by a comma.',
  );
}

function readCardEntry(
  env: Environment,
  preset: { way: CardEntry['way']; publishableKey: string | undefined; scriptUrl: string },
): CardEntry {
  const way = env.oneOf('CARD_ENTRY', ['form', 'gateway']) ?? preset.way;
  if (way === 'form') return { way };
  const { publishableKey, scriptUrl } = preset;
  if (publishableKey !== undefined) return { way, publishableKey, scriptUrl };
  throw new StartError(
    'STRIPE_PUBLISHABLE_KEY is not set: the gateway’s card fields need it (CARD_ENTRY=gateway, or a live STRIPE_SECRET_KEY).',
  );
}

/** A script from anywhere else could read what is typed on the paying pages. */
function readScriptUrl(env: Environment, isLive: boolean): string | undefined {
  const text = env.url('STRIPE_SCRIPT_URL', HTTP);
  if (text === undefined) return undefined;
  const { protocol, host, hostname, username, password } = new URL(text);
  const isStripes = protocol === 'https:' && host === STRIPE_SCRIPT_HOST;
  const isTrusted = isStripes || (isLoopback(hostname) && !isLive);
  if (isTrusted && username === '' && password === '') return text;
  throw new StartError(
    `STRIPE_SCRIPT_URL is not on https://${STRIPE_SCRIPT_HOST}: only the gateway’s own script may be loaded, and with a test key one on a loopback address.`,
  );
}

function refuseOtherMode(publishableKey: string, mode: 'test' | 'live'): void {
  const [, other] = PUBLISHABLE_KEY.exec(publishableKey) ?? [];
  if (other === undefined) {
    throw new StartError(
      'STRIPE_PUBLISHABLE_KEY is no publishable key of the gateway: it begins with pk_test_ or pk_live_.',
    );
  }
  if (other === mode) return;
  throw new StartError(
    `STRIPE_PUBLISHABLE_KEY is a ${other} key and STRIPE_SECRET_KEY a ${mode} one: use two of one account and mode.`,
  );
}
