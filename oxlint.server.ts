/** One forbidden import and what to do instead; the message is what a developer reads in the editor. */
export interface Ban {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

export const relativeUp = (folder: string): string[] => [
  `../**/${folder}/**`,
  `**/${folder}/src/**`,
];

export const noWeb: Ban = {
  group: ['#web/*', '#web/**', ...relativeUp('web')],
  message:
    'Nothing outside web/ and desktop/renderer may import the UI; move what is shared into shared/.',
};
export const noDesktop: Ban = {
  group: [...relativeUp('desktop'), 'electron'],
  message: 'Describe what you need in shared/platform.ts and let desktop/ implement it.',
};
const noSandboxInProduct: Ban = {
  group: ['#sandbox/*', '#sandbox/**', '**/sandbox/**'],
  message:
    'The sandbox is the outside world: reach it over HTTP or SMTP through server/src/adapters.',
};
const noTestInProduct: Ban = {
  group: ['#test/*', '#test/**', '**/test/**', '**/testing/**', '**/*.fake.ts'],
  message: 'Product code never imports test code; take the dependency as a parameter.',
};
const noHono: Ban = {
  group: ['hono', 'hono/*', '@hono/*'],
  message: 'Hono stays in *.routes.ts, http/ and app.ts; hand plain values to services.',
};
const noDriver: Ban = {
  group: ['@electric-sql/*', 'pg'],
  message:
    'Only server/src/kit/db opens databases (one mutex guards the embedded one): use Database from kit/db/database.ts.',
};
const noOutsideClients: Ban = {
  group: ['undici', 'stripe', 'nodemailer'],
  message: 'Outside systems are reached through a port in server/src/adapters only.',
};
const noRoutesOrServices: Ban = {
  group: ['**/*.routes.ts', '**/*.service.ts'],
  message: 'Order is routes -> service -> repository -> db: call downwards only.',
};
const noRoutes: Ban = {
  group: ['**/*.routes.ts'],
  message: 'A service never calls a route: move the shared logic into a service.',
};
export const ban = (...patterns: Ban[]): ['error', { patterns: Ban[] }] => ['error', { patterns }];
/** What may import test code: the check of a built package plays scenarios in it. */
const TEST_FILES = [
  '**/testing/**',
  '**/*.fake.ts',
  '**/*.conformance.ts',
  'desktop/packaging/check.ts',
];
/** What files may not import; product files among them no test code either. */
export const banIn = (files: string[], ...bans: Ban[]) => [
  { files, rules: { 'no-restricted-imports': ban(...bans) } },
  {
    files,
    excludeFiles: TEST_FILES,
    rules: { 'no-restricted-imports': ban(...bans, noTestInProduct) },
  },
];
const server = [noWeb, noDesktop, noSandboxInProduct, noTestInProduct];

/**
 * The wings of server/src, lowest first: each imports those in lines above it, types too, and another wing by its
 * `#server/` name. The sentence says what to do instead of an import that runs the other way.
 */
export const WINGS: ReadonlyArray<Readonly<Record<string, string>>> = [
  { adapters: 'An adapter knows one outside system and nothing of ours: take a plain value.' },
  { kit: 'The kit decides nothing of the product: take a parameter or a callback.' },
  {
    audit: 'The audit log is told things and asks nobody: put what it needs into the entry.',
    mail: 'Mail looks its facts up itself: write the query in mail-facts.repository.ts.',
  },
  { identity: 'Who asks doesn’t depend on what they have: let a use case join the two.' },
  { network: 'Tell of what was seen through PostEvents; who acts on it implements that.' },
  { delivery: 'Orders don’t know who pays: take it as a parameter, or decide it in money/.' },
  { money: 'Return plain results: routes show them, and what crosses wings is a use case.' },
  { 'use-cases': 'A use case answers in plain results: let the route view or stream them.' },
  { replica: 'The replica passes rows on: have whoever calls bring them, as Projection does.' },
  { 'read-model': 'A view shows what is stored: take what the request says as a parameter.' },
  { routes: 'Routes are put together in main/app.ts: take what you need as a parameter.' },
  { ops: 'Operating is started by main/: take what you need as a parameter.' },
  { main: '' },
];

/** The folders of server/src/money, lowest first, in the same manner. */
export const MONEY: Readonly<Record<string, string>> = {
  cards: 'A card knows no payment: take what it is needed for as a parameter.',
  charges: 'A charge doesn’t know what it buys: whoever settles it gives that.',
  budgets: 'A budget counts what was charged: who wants to spend asks it.',
  credits: 'The ledger books what it is told: who buys or takes credits is above.',
  documents: 'A document shows what was paid: who issues it says when.',
  subscriptions: 'What becomes of a plan is stored here: who is asked or charged for it is above.',
  'service-credit': 'Days are given back whoever pays: take what else is needed as a parameter.',
  settlement: 'A charge is collected whatever began it: return how it ended.',
  checkout: 'A checkout answers its form: what comes of the plan later is above.',
  cancellation: 'A plan is paused and ended here: who does so with money or by a date is above.',
  refunds: 'Money back ends plans: who renews or disputes them is above.',
  renewals: 'A renewal is due by its date: who brings it forward calls it.',
  'plan-changes': 'A change is quoted and paid: put what others need of it into subscriptions/.',
  disputes: 'A dispute stops plans and takes credits: who hears of it is above.',
  payments: '',
};

/** The folders of server/src/identity, lowest first, in the same manner. */
export const IDENTITY: Readonly<Record<string, string>> = {
  limits: 'A limit counts what it is told: who is limited, and by what, is above.',
  promo: 'A promotion is a window of time: who is given one is above.',
  users: 'A person is a row and a password: what takes a session to do is in sessions/.',
  sessions: 'A session knows its person: joins with their membership are in kit/db/people.ts.',
  members: 'A team knows people and their sessions: who recovers or is pushed to is above.',
  recovery: 'Recovery ends in a session: take what else is needed as a parameter.',
  push: 'A push goes to sessions: take what else is needed as a parameter.',
  http: '',
};

/** Folders of wings that have an order of their own. */
const INSIDE = { identity: IDENTITY, money: MONEY };

/** In one line, as docs/architecture.md says it. */
export const IDENTITY_ORDER = Object.keys(IDENTITY).join(' < ');
export const MONEY_ORDER = Object.keys(MONEY).join(' < ');
export const ORDER = WINGS.map((level) => Object.keys(level).join(', ')).join(' < ');

/** Whatever stands beside a wing or above it. How else it may be written, server/test/walls.test.ts knows. */
function upward(wing: string, level: number, advice: string): Ban[] {
  const barred = WINGS.slice(level).flatMap((each) =>
    Object.keys(each).filter((to) => to !== wing),
  );
  if (barred.length === 0) return [];
  // adapters/mail is not the wing mail.
  const ups = wing === 'adapters' ? ['../..'] : ['..', '../..', '../../..'];
  const group = barred.flatMap((to) =>
    ['#server', '**/src', ...ups].map((from) => `${from}/${to}/**`),
  );
  return [{ group, message: `${advice} Order: ${ORDER}.` }];
}

function upwardInside(wing: keyof typeof INSIDE, folder: string, advice: string): Ban[] {
  const folders = Object.keys(INSIDE[wing]);
  const barred = folders.slice(folders.indexOf(folder) + 1);
  const group = barred.flatMap((to) => [`**/${wing}`, '..'].map((from) => `${from}/${to}/**`));
  return [{ group, message: `${advice} Order: ${folders.join(' < ')}.` }];
}

/** @param wing or a folder of one */
function overridesOf(wing: string, order: readonly Ban[]) {
  const every = [...server, ...order];
  const inside = [...every, noDriver, noOutsideClients];
  const only = (files: string[], ...bans: Ban[]) => ({
    files: files.map((file) => `server/src/${wing}/${file}`),
    rules: { 'no-restricted-imports': ban(...bans) },
  });
  return [
    only(['**/*.ts'], ...inside, noHono),
    only(['**/*.repository.ts'], ...inside, noHono, noRoutesOrServices),
    only(['**/*.service.ts', '**/*.job.ts'], ...inside, noHono, noRoutes),
    only(['**/*.routes.ts', '**/http/**/*.ts', 'app.ts', 'serve.ts'], ...inside),
    ...(wing === 'kit' ? [only(['db/**/*.ts'], ...every, noHono, noOutsideClients)] : []),
    ...(wing === 'adapters' ? [only(['**/*.ts'], ...every, noHono, noDriver)] : []),
  ];
}

/** Who may import what in server/src. */
export const SERVER_OVERRIDES = [
  ...WINGS.flatMap((wings, level) =>
    Object.entries(wings).flatMap(([wing, advice]) =>
      overridesOf(wing, upward(wing, level, advice)),
    ),
  ),
  ...(['identity', 'money'] as const).flatMap((wing) => {
    const level = WINGS.findIndex((wings) => wing in wings);
    const order = upward(wing, level, WINGS[level]?.[wing] ?? '');
    // The topmost imports them all.
    const below = Object.entries(INSIDE[wing]).slice(0, -1);
    return below.flatMap(([folder, advice]) =>
      overridesOf(`${wing}/${folder}`, [...order, ...upwardInside(wing, folder, advice)]),
    );
  }),
  { files: ['server/src/adapters/**/*.ts'], rules: { 'no-restricted-globals': 'off' as const } },
];
