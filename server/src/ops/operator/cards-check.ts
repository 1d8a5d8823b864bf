import * as v from 'valibot';
import { about, type CardEntry } from '#shared/contract/about.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import { parseJson } from '#server/adapters/http/json-body.ts';
import { probe, type ProbeAnswer } from '#server/adapters/http/probe.ts';
import type { StripeAccount } from '#server/adapters/stripe/stripe-account.ts';
import { EVENT_SIGNATURE, READ_EVENTS, signEvent } from '#server/adapters/stripe/stripe-events.ts';
import type { Deps } from '#server/kit/deps.ts';
import { checkPayingPages, type ScriptList } from './paying-pages-check.ts';
import { fails, ok, unsure, type Verdict } from './verdict.ts';

/** What is configured, as far as taking cards goes. */
export interface CardsSetUp {
  publicUrl: string;
  isLive: boolean;
  eventSecrets: readonly string[];
  cardEntry: CardEntry;
  /** Of the build that this command belongs to. */
  builtScripts: ScriptList | undefined;
}

/** One line of the check. Of headers there is one for each paying page, of scripts one for each that is wrong. */
export interface CardsLine extends Verdict {
  part: 'keys' | 'fields' | 'product' | 'script' | 'headers' | 'scripts' | 'events' | 'endpoint';
}

/**
 * Whether keys, fields, scripts, headers and events of a running product fit each other and the gateway. Asks the
 * product at its public address as a customer and as the gateway would, and the gateway with both keys. Nothing
 * is charged; the forged event among it is in the audit log as any other.
 */
export async function checkCards(
  deps: { clock: Deps['clock']; account: StripeAccount },
  setUp: CardsSetUp,
): Promise<CardsLine[]> {
  const keys = await checkKeys(deps.account, setUp);
  const pages = await checkPayingPages(setUp);
  return [
    { part: 'keys', ...keys.secret },
    { part: 'fields', ...keys.fields },
    { part: 'product', ...(await checkProduct(setUp)) },
    { part: 'script', ...(await checkScript(setUp)) },
    ...pages.headers.map((verdict): CardsLine => ({ part: 'headers', ...verdict })),
    ...pages.scripts.map((verdict): CardsLine => ({ part: 'scripts', ...verdict })),
    { part: 'events', ...(await checkEvents(keys.nowMs ?? deps.clock.now(), setUp)) },
    { part: 'endpoint', ...(await checkEndpoint(deps.account, setUp)) },
  ];
}

async function checkKeys(
  account: StripeAccount,
  { isLive, cardEntry }: CardsSetUp,
): Promise<{ secret: Verdict; fields: Verdict; nowMs: number | undefined }> {
  const key = cardEntry.way === 'gateway' ? cardEntry.publishableKey : undefined;
  const { secret, publishable } = await account.checkKeys(key);
  const mode = isLive ? 'live' : 'test';
  const secretVerdict =
    secret.kind === 'failed'
      ? fails(`the gateway refuses the secret key (${secret.reason})`)
      : secret.isLive === isLive
        ? ok(`the gateway takes the secret key, ${mode} mode`)
        : fails(`the gateway answers in a different mode from the secret key’s (${mode})`);
  const nowMs = secret.kind === 'told' ? secret.nowMs : undefined;
  return { secret: secretVerdict, fields: fieldsVerdict(key, publishable), nowMs };
}

function fieldsVerdict(
  key: string | undefined,
  publishable: Awaited<ReturnType<StripeAccount['checkKeys']>>['publishable'],
): Verdict {
  if (key === undefined) return ok('cards are entered in the product’s own form; test cards only');
  if (!publishable) return unsure('not asked, because the secret key doesn’t work');
  return publishable.kind === 'told'
    ? ok('the publishable key belongs to the secret key’s account')
    : fails(`the publishable key doesn’t fit the secret key (${publishable.reason})`);
}

const AboutAnswer = v.object({ data: about.data });

/** The nodes that customers reach may run with other variables than this command. */
async function checkProduct({ publicUrl, cardEntry }: CardsSetUp): Promise<Verdict> {
  const answer = await probe(`${publicUrl}${about.path}`);
  if (answer.kind === 'failed') return fails(`${publicUrl} doesn’t answer (${answer.reason})`);
  const told = v.safeParse(AboutAnswer, parseJson(answer.text));
  if (!told.success) return fails(`${publicUrl} answers as something else (${answer.status})`);
  const isSame = JSON.stringify(told.output.data.cardEntry) === JSON.stringify(cardEntry);
  return isSame
    ? ok(`${publicUrl} runs with the same card entry: ${cardEntry.way}`)
    : fails(`${publicUrl} runs with another card entry: restart it with these variables`);
}

async function checkScript({ cardEntry }: CardsSetUp): Promise<Verdict> {
  if (cardEntry.way === 'form') return ok('none is loaded');
  const { scriptUrl } = cardEntry;
  const answer = await probe(scriptUrl);
  if (answer.kind === 'failed') return fails(`${scriptUrl} doesn’t answer (${answer.reason})`);
  const type = answer.headers.get('content-type') ?? 'nothing';
  return answer.status === 200 && type.includes('javascript')
    ? ok(`${scriptUrl} is there`)
    : fails(`${scriptUrl} answers ${answer.status} with ${type}`);
}

const CLOCK_AHEAD =
  'the product’s clock is over 5 minutes ahead of the gateway’s, so every event is too old for it: set its clock';

/** Signed by the gateway's clock, as its own are; one of later tells a wrong clock from a wrong secret. */
async function checkEvents(
  nowMs: number,
  { publicUrl, eventSecrets, isLive }: CardsSetUp,
): Promise<Verdict> {
  if (eventSecrets.length === 0) {
    return unsure('STRIPE_EVENT_SECRET is not set: payments are found out about a minute later');
  }
  const body = JSON.stringify({
    id: 'evt_operator_check',
    object: 'event',
    type: 'operator.check',
    livemode: isLive,
    data: { object: {} },
  });
  const send = (secret: string, signedMs = nowMs): Promise<ProbeAnswer> =>
    probe(`${publicUrl}/stripe/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [EVENT_SIGNATURE]: signEvent(body, secret, signedMs),
      },
      body,
    });
  for (const [index, secret] of eventSecrets.entries()) {
    const words = statusWords(await send(secret));
    if (words === '403' && statusWords(await send(secret, nowMs + DAY_MS)) === '200') {
      return fails(CLOCK_AHEAD);
    }
    if (words !== '200') return fails(`an event signed with secret ${index + 1} gets ${words}`);
  }
  const forged = statusWords(await send(`${eventSecrets[0]}x`));
  return forged === '403'
    ? ok('signed events are taken, and a forged one is refused')
    : fails(`a forged event gets ${forged}, not 403`);
}

function statusWords(answer: ProbeAnswer): string {
  return answer.kind === 'answered' ? String(answer.status) : `no answer (${answer.reason})`;
}

/** This machine has several names: the sandbox sends to one of them. */
function isSame(told: string, url: string): boolean {
  const [there, here] = [new URL(told), new URL(url)];
  const isHere = isLoopback(there.hostname) && isLoopback(here.hostname);
  if (isHere) there.hostname = here.hostname;
  return there.href === here.href;
}

async function checkEndpoint(account: StripeAccount, { publicUrl }: CardsSetUp): Promise<Verdict> {
  const url = `${publicUrl}/stripe/events`;
  const listed = await account.listEndpoints();
  if (listed.kind === 'failed') {
    return unsure(
      `the gateway doesn’t list its endpoints (${listed.reason}): look for ${url} there`,
    );
  }
  const endpoint = listed.endpoints.find((each) => isSame(each.url, url) && each.isEnabled);
  if (!endpoint) return fails(`the gateway has no enabled endpoint ${url}`);
  const { events } = endpoint;
  const missing = events.includes('*')
    ? []
    : READ_EVENTS.filter((event) => !events.includes(event));
  return missing.length === 0
    ? ok(`the gateway sends its events to ${url}`)
    : fails(`the gateway’s endpoint ${url} lacks ${missing.join(', ')}`);
}
