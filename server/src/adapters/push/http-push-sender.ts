import { isIP } from 'node:net';
import { Agent } from 'undici';
import { boundTo } from '../http/bound-to.ts';
import { checkedLookup } from '../http/checked-lookup.ts';
import { exchange } from '../http/exchange.ts';
import { isPublicAddress } from '../images/public-address.ts';
import { arePushKeys, encryptPush, SALT_BYTES } from './encrypt-push.ts';
import { keyPairOf, SEED_BYTES, signingKey } from './p256.ts';
import { outcomeOf, type PushSender } from './push-sender.ts';
import { hkdfSync, type KeyObject, sign } from 'node:crypto';

/** Which addresses customers may have us post to. */
export interface EndpointPolicy {
  allowsUrl(url: URL): boolean;
  /** Asked of every address a name leads to, by the connection itself. */
  allowsAddress(address: string): boolean;
}

/** Names on the public internet, by https at its usual port. */
export const PUBLIC_ENDPOINTS: EndpointPolicy = {
  allowsUrl: ({ protocol, port, hostname, username, password }) =>
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    password === '' &&
    hostname.includes('.') &&
    isIP(hostname) === 0,
  allowsAddress: isPublicAddress,
};

interface HttpPushSenderOptions {
  appSecret: string;
  /** Address of the operator for push services. */
  contact: string;
  now: () => number;
  random: { bytes(length: number): Buffer };
  endpoints?: EndpointPolicy;
  timeoutMs?: number;
}

const ENDPOINT_LIMIT = 1000;
const CONNECTIONS_PER_HOST_MAX = 8;
/** How long a push service keeps a message for a browser that is off. */
const KEPT_SECONDS = 86_400;

/** Sends to whichever service a browser names; redirects are not followed, and answers are not read. */
export function createHttpPushSender(options: HttpPushSenderOptions): PushSender {
  const { endpoints = PUBLIC_ENDPOINTS, timeoutMs = 5000, random } = options;
  const keys = vapidKeys(options.appSecret);
  const agent = new Agent({
    connections: CONNECTIONS_PER_HOST_MAX,
    allowH2: false,
    connect: { lookup: checkedLookup(() => (address) => endpoints.allowsAddress(address)) },
  });
  const allowedUrl = (endpoint: string): URL | undefined => {
    const url = endpoint.length > ENDPOINT_LIMIT ? null : URL.parse(endpoint);
    return url && endpoints.allowsUrl(url) ? url : undefined;
  };
  return {
    publicKey: keys.publicKey,
    allows: (target) => allowedUrl(target.endpoint) !== undefined && arePushKeys(target),
    async send(target, message, signal) {
      const url = allowedUrl(target.endpoint);
      if (!url || !arePushKeys(target)) return { kind: 'refused', reason: 'address' };
      const { contact, now } = options;
      const answer = await exchange(boundTo(agent, url.origin), {
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          authorization: vapidHeader(keys, { origin: url.origin, contact, nowMs: now() }),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(KEPT_SECONDS),
        },
        body: encryptPush(target, message, {
          own: keyPairOf(random.bytes(SEED_BYTES)),
          salt: random.bytes(SALT_BYTES),
        }),
        timeoutMs,
        maxBytes: 16_384,
        signal,
      });
      if (answer.kind === 'failed') return { kind: 'unavailable', reason: answer.reason };
      return outcomeOf(answer.status);
    },
    close: () => agent.destroy(),
  };
}

const LIVES_SECONDS = 12 * 3600;

/** Who sends: push services take messages for a subscription only from whoever it was made for. */
interface VapidKeys {
  /** Point on P-256 in base64url; browsers are told it when they subscribe. */
  publicKey: string;
  privateKey: KeyObject;
}

/** The keys of an installation. They follow from its secret, so every node has the same and none is kept. */
export function vapidKeys(appSecret: string): VapidKeys {
  const pair = keyPairOf(new Uint8Array(hkdfSync('sha256', appSecret, '', 'vapid', SEED_BYTES)));
  return { publicKey: pair.getPublicKey('base64url'), privateKey: signingKey(pair) };
}

/** The Authorization header for a push service (RFC 8292); `contact`: a mailto or https address. */
export function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { origin, contact, nowMs }: { origin: string; contact: string; nowMs: number },
): string {
  const exp = Math.floor(nowMs / 1000) + LIVES_SECONDS;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: origin, exp, sub: contact })}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
}
