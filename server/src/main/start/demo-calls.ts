import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import type { CardEntry } from '#shared/contract/about.ts';
import type { Call, CallData, CallInput } from '#shared/contract/call.ts';
import { login, logout, register, User } from '#shared/contract/people/user.ts';

/** Password is random per data directory: a demo must not be a back door where it is left running. */
export const DemoLogin = v.object({ email: v.string(), password: v.string() });
export type DemoLogin = v.InferOutput<typeof DemoLogin>;

/** How a demo's people reach the product: through the calls that a browser makes. */
export interface DemoCalls {
  send: (request: Request) => Response | Promise<Response>;
  publicUrl: string;
  cardEntry: CardEntry;
  sandboxUrl: string;
}

export interface DemoSession {
  user: User;
  cookie: string;
}

/** Of the sandbox's gateway: it pays. */
const CARD = {
  ccName: 'Demo Customer',
  ccNum: '4242424242424242',
  ccMonth: '12',
  ccYear: '2034',
  cvv: '123',
  address: '1 Demo Street',
  zip: '10001',
  city: 'New York',
  state: 'NY',
  country: 'US',
  phone: '5550100100',
};

/** What a checkout is sent of the card: its fields, or what the gateway's own fields make of them. */
export async function enterCard({
  cardEntry,
  sandboxUrl,
}: DemoCalls): Promise<typeof CARD | { confirmationToken: string }> {
  if (cardEntry.way === 'form') return CARD;
  const answer = await fetch(`${sandboxUrl}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cardEntry.publishableKey}` },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': CARD.ccNum,
      'card[exp_month]': CARD.ccMonth,
      'card[exp_year]': CARD.ccYear,
      'card[cvc]': CARD.cvv,
      'billing_details[name]': CARD.ccName,
      'billing_details[phone]': CARD.phone,
      'billing_details[address][line1]': CARD.address,
      'billing_details[address][city]': CARD.city,
      'billing_details[address][state]': CARD.state,
      'billing_details[address][postal_code]': CARD.zip,
      'billing_details[address][country]': CARD.country,
    }),
  });
  if (!answer.ok) throw new Error(`The sandbox took no card: ${await answer.text()}`);
  return { confirmationToken: v.parse(v.object({ id: v.string() }), await answer.json()).id };
}

const OWNER_ONLY = 0o600;

/** What an earlier start has kept; undefined where it can't be read. */
export function readKept<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  if (!existsSync(path)) return undefined;
  const kept = v.safeParse(schema, JSON.parse(readFileSync(path, 'utf8')));
  return kept.success ? kept.output : undefined;
}

export function keep(path: string, demo: object): void {
  writeFileSync(path, JSON.stringify(demo), { mode: OWNER_ONLY });
  // One that was there before keeps its mode when it is written.
  chmodSync(path, OWNER_ONLY);
}

/** Logs in; signs up first where nobody has. */
export async function signIn(
  calls: DemoCalls,
  person: DemoLogin & { name: string },
  account: { igUsername: string; plan: number },
): Promise<{ session: DemoSession; isNew: boolean }> {
  const { name, email, password } = person;
  const known = await sendCall(calls, login, { email, password });
  const answer = known.ok
    ? known
    : await sendCall(calls, register, {
        name,
        email,
        password,
        igUsername: account.igUsername,
        package: String(account.plan),
        phone: '5550100100',
      });
  return { session: await sessionOf(answer), isNew: !known.ok };
}

/** Who the answer of a log-in or sign-up is for. */
export async function sessionOf(answer: Response): Promise<DemoSession> {
  const body = v.parse(v.object({ data: User }), await answer.json());
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { user: body.data, cookie };
}

/** Left open it would stand in the person's settings as a browser that nobody knows. */
export async function signOut(calls: DemoCalls, session: DemoSession): Promise<void> {
  await callAs(calls, session, logout, {});
}

/** @throws Error with the answer where the call is refused */
export async function callAs<C extends Call>(
  calls: DemoCalls,
  { cookie }: Pick<DemoSession, 'cookie'>,
  call: C,
  input: CallInput<C>,
  key?: string,
): Promise<CallData<C>> {
  const answer = await sendCall(calls, call, input, {
    cookie,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });
  if (!answer.ok) throw new Error(`The demo's ${call.path} was refused: ${await answer.text()}`);
  const { data } = v.parse(v.looseObject({ data: call.data }), await answer.json());
  return data as CallData<C>;
}

export function sendCall<C extends Call>(
  { send, publicUrl }: DemoCalls,
  { method, path, encoding }: C,
  input: CallInput<C>,
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  const fields = () => new URLSearchParams(input as Record<string, string>);
  if (encoding === 'query') {
    return send(new Request(`${publicUrl}${path}?${fields().toString()}`, { headers }));
  }
  const isForm = encoding === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return send(
    new Request(`${publicUrl}${path}`, {
      method,
      headers: { 'content-type': type, ...headers },
      body: isForm ? fields() : JSON.stringify(input),
    }),
  );
}
