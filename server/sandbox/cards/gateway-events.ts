import { createHmac } from 'node:crypto';
import type { Stripe } from 'stripe';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import type { SandboxContext } from '../context.ts';
import { type Fault, numberOption, textOption } from '../faults.ts';
import type { AccountIds } from './account-ids.ts';
import { done, type GatewayAnswer, getRow, listPage, preparePage } from './gateway-answer.ts';
import { secondsOf, textOr } from './row.ts';

/** What the endpoint's events are signed with: a name, not a secret, as the sandbox's keys. */
export const EVENT_SECRET = 'whsec_sandbox';
const API_VERSION = '2026-10-28.endive';

/**
 * What `POST /control/faults` takes for events; each aimed by `type`, `customer`, `fraction`, `times`.
 * `events_lost`: never sent; `events_late {delayMs}`; `events_twice`; `events_disordered`: each some seconds
 * late; `events_forged`: signed with another secret; `events_old`: with a signature of ten minutes ago.
 */
export const EVENT_SCENARIOS = [
  'events_lost',
  'events_late',
  'events_twice',
  'events_disordered',
  'events_forged',
  'events_old',
] as const;
type Scenario = (typeof EVENT_SCENARIOS)[number];

/** One line of `GET /control/events`, newest first. */
export interface EventEntry {
  id: string;
  type: string;
  /** Of the object it is about. */
  about: string;
  state: 'waiting' | 'delivered' | 'lost' | 'given_up';
  attempts: number;
  /** The last answer's status, or `no answer`. */
  lastAnswer: string | null;
  at: string;
}

/**
 * The gateway's events: written in the transaction of what they tell, sent to `{eventsUrl}/stripe/events`
 * until they are answered with 2xx, for three days, ever more seldom. Nobody listens: none is written.
 *
 *   waiting --sent, 2xx--> delivered;  waiting --anything else--> waiting, later;  3 days --> given up
 */
export interface GatewayEvents {
  tell: (type: string, object: object, previous?: object) => void;
  /** Sends what is due. Resolves once all of it has been answered. */
  flush(): Promise<void>;
  readEvent(id: string): GatewayAnswer;
  listEvents(query: Record<string, string>): GatewayAnswer;
  /** The one address that they are sent to, if any. */
  listEndpoints(): GatewayAnswer;
  recentEvents(): EventEntry[];
  /** Breaks off what is being sent. */
  close(): Promise<void>;
}

const RETRY_MS = { first: 1000, max: HOUR_MS };
const KEPT_MS = 3 * DAY_MS;
const TIMEOUT_MS = 5000;
const BATCH = 20;
const TWICE_AFTER_MS = 1500;
const DISORDER_MS = 5000;
const OLD_SECONDS = 600;
const SHOWN = 50;

type EventContext = Pick<SandboxContext, 'db' | 'now' | 'random' | 'faults' | 'settings'>;

export function openGatewayEvents(ctx: EventContext, ids: AccountIds): GatewayEvents {
  const { db, settings } = ctx;
  const insert =
    db.prepare(`insert into card_event (id, type, about, body, created_at, send_at, copies,
    trick) values (?, ?, ?, ?, ?, ?, ?, ?)`);
  const forget = db.prepare('delete from card_event where send_at is null and created_at < ?');
  const select = db.prepare('select * from card_event where id = ?');
  const recent = db.prepare('select * from card_event order by no desc limit ?');
  const page = preparePage(db, 'card_event', 'type');
  const sender = openSender(ctx);
  return {
    tell(type, object, previous) {
      if (settings.eventsUrl === '') return;
      const { id: about = '' } = object as { id?: string };
      const id = ids.asOwnerOf(about, () => ids.newId('evt'));
      const nowMs = ctx.now();
      const { sendAt, copies, trick } = planSending(ctx, { type, object });
      const body = JSON.stringify(eventOf({ id, type, object, previous, nowMs }));
      insert.run(id, type, about, body, nowMs, sendAt, copies, trick);
      forget.run(nowMs - KEPT_MS);
    },
    flush: () => (settings.eventsUrl === '' ? Promise.resolve() : sender.flush()),
    close: sender.close,
    readEvent: (id) => done(showEvent(getRow(select, 'event', id))),
    listEvents(query) {
      const list = { url: '/v1/events', filter: query['type'], pattern: ids.pattern() };
      return listPage(page, query, { ...list, show: showEvent });
    },
    listEndpoints: () => done(showEndpoints(settings.eventsUrl, ctx.now())),
    recentEvents: () => recent.all(SHOWN).map(toEntry),
  };
}

interface Told {
  type: string;
  object: object;
}

/** When an event goes out, how often, and with which trick of a fault that is being played. */
function planSending(
  ctx: EventContext,
  told: Told,
): { sendAt: number | null; copies: number; trick: 'forged' | 'old' | null } {
  const play = (scenario: Scenario): Fault | undefined =>
    ctx.faults.take('cards', scenario, ({ options }) => {
      const type = textOption(options, 'type');
      const customer = textOption(options, 'customer');
      const isAimed = (!type || type === told.type) && (!customer || isAbout(told, customer));
      return isAimed && ctx.random() < numberOption(options, 'fraction', 1);
    });
  if (play('events_lost')) return { sendAt: null, copies: 0, trick: null };
  const late = play('events_late');
  const lateMs = late ? numberOption(late.options, 'delayMs', 600_000) : 0;
  const disorderMs = play('events_disordered') ? ctx.random() * DISORDER_MS : 0;
  const trick = (play('events_forged') && 'forged') ?? (play('events_old') && 'old') ?? null;
  const copies = play('events_twice') ? 2 : 1;
  return { sendAt: Math.floor(ctx.now() + lateMs + disorderMs), copies, trick };
}

const isAbout = ({ object }: Told, customer: string): boolean =>
  'customer' in object && object.customer === customer;

/** Sends one after the other; each has a patience of its own. */
function openSender(ctx: EventContext): { flush(): Promise<void>; close: () => Promise<void> } {
  const due = ctx.db.prepare(
    `select * from card_event where send_at <= ? order by send_at, no limit ?`,
  );
  const settle = ctx.db.prepare(
    'update card_event set send_at = ?, copies = ?, attempts = ?, answer = ? where no = ?',
  );
  const stop = new AbortController();
  let sending: Promise<void> | undefined;
  const send = async (row: Record<string, unknown>): Promise<void> => {
    const answer = await post(`${ctx.settings.eventsUrl}/stripe/events`, {
      body: String(row['body']),
      trick: row['trick'],
      nowMs: ctx.now(),
      signal: stop.signal,
    });
    if (stop.signal.aborted) return;
    const attempts = Number(row['attempts']) + 1;
    const isHeard = answer.startsWith('2');
    const copies = Number(row['copies']) - (isHeard ? 1 : 0);
    const isGivenUp = ctx.now() - Number(row['created_at']) > KEPT_MS;
    const backoffMs = Math.min(RETRY_MS.first * 2 ** (attempts - 1), RETRY_MS.max);
    const sendAt = ctx.now() + (isHeard ? TWICE_AFTER_MS : backoffMs);
    const isOver = copies === 0 || isGivenUp;
    settle.run(isOver ? null : sendAt, copies, attempts, answer, Number(row['no']));
  };
  const sendDue = async (): Promise<void> => {
    for (const row of due.all(ctx.now(), BATCH)) {
      if (!stop.signal.aborted) await send(row);
    }
  };
  return {
    async flush() {
      sending ??= sendDue().finally(() => {
        sending = undefined;
      });
      await sending;
    },
    close: async () => {
      stop.abort();
      await sending;
    },
  };
}

/** The status of the answer, in words where there was none. */
async function post(
  url: string,
  message: { body: string; trick: unknown; nowMs: number; signal: AbortSignal },
): Promise<string> {
  const { body, trick, nowMs, signal } = message;
  const seconds = secondsOf(nowMs) - (trick === 'old' ? OLD_SECONDS : 0);
  const secret = trick === 'forged' ? 'whsec_of_somebody_else' : EVENT_SECRET;
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${seconds},v1=${mac}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch {
    return 'no answer';
  }
}

function eventOf(
  event: Told & { id: string; previous: object | undefined; nowMs: number },
): object {
  const { id, type, object, previous, nowMs } = event;
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: secondsOf(nowMs),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

function showEndpoints(eventsUrl: string, nowMs: number): object {
  const endpoint: Stripe.WebhookEndpoint = {
    id: 'we_sandbox',
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: secondsOf(nowMs),
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: `${eventsUrl}/stripe/events`,
  };
  const data = eventsUrl === '' ? [] : [endpoint];
  return { object: 'list', url: '/v1/webhook_endpoints', data, has_more: false };
}

const showEvent = (row: Record<string, unknown>): object => ({
  ...(JSON.parse(String(row['body'])) as object),
  pending_webhooks: row['send_at'] === null ? 0 : 1,
});

function toEntry(row: Record<string, unknown>): EventEntry {
  return {
    id: String(row['id']),
    type: String(row['type']),
    about: String(row['about']),
    state: stateOf(row),
    attempts: Number(row['attempts']),
    lastAnswer: textOr(row['answer'], null),
    at: new Date(Number(row['created_at'])).toISOString(),
  };
}

function stateOf({
  send_at: sendAt,
  copies,
  attempts,
}: Record<string, unknown>): EventEntry['state'] {
  if (sendAt !== null) return 'waiting';
  if (Number(copies) > 0) return 'given_up';
  return Number(attempts) > 0 ? 'delivered' : 'lost';
}
