import { type Ban, banIn, noDesktop, relativeUp } from './oxlint.server.ts';

export const noServer: Ban = {
  group: [
    ...['server', 'sandbox', 'test'].flatMap((each) => [`#${each}/*`, `#${each}/**`]),
    ...relativeUp('server'),
  ],
  message: 'Talk to the server through web/src/api and the schemas in shared/contract.',
};
export const noNode: Ban = {
  group: ['node:*'],
  message: 'shared/ runs in browsers too: take what you need as a parameter.',
};
export const noReact: Ban = {
  group: [
    'react',
    'react-dom',
    'react-dom/*',
    'react-router-dom',
    '@mantine/*',
    'zustand',
    'dexie-react-hooks',
  ],
  message:
    'This layer knows no React: keep components and hooks in web/src/customer, features or ui.',
};

/**
 * The rooms of web/src, lowest first: each imports those before it, types too, and another room by its
 * `#web/` name. The sentence says what to do instead of an import that runs the other way.
 */
export const ROOMS: Readonly<Record<string, string>> = {
  theme: 'The theme is tokens and styles: it knows nobody.',
  ui: 'The UI kit is pure: take what is shown, and what happens on a press, as properties.',
  api: 'The API client carries calls: take a parameter or a callback.',
  platform: 'The platform knows no customer: take a parameter or a callback.',
  replica: 'The replica knows no screen: take a parameter, or let the screen ask.',
  customer: 'The customer is the same on every page: pass what is needed as a property.',
  payments: 'Payments are shared by features: pass what is needed as a property.',
  features: 'Features never import app; routes and providers are handed down by web/src/app.',
  app: '',
};
/** A program of its own, which nobody imports. */
export const WORKER = 'service-worker';

/** The features, which don't know each other. */
export const FEATURES = [
  'accounts',
  'auth',
  'billing',
  'pending',
  'posts',
  'public',
  'settings',
  'team',
  'alerts',
] as const;

/** The folders of web/src/replica, lowest first, in the same manner. */
export const REPLICA: Readonly<Record<string, string>> = {
  store: 'The store keeps what it is given: take a row, a key or a callback.',
  network: 'The calls know no replica: take what is sent, return what was answered.',
  queries: 'A query reads what is kept: who changes it is above.',
  outbox: 'A change is sent by whoever runs the engine: take a parameter or a callback.',
  pictures: 'Pictures are kept when the engine says so: take a parameter.',
  engine: '',
};

/** In one line, as docs/architecture.md says it. */
export const ROOM_ORDER = Object.keys(ROOMS).join(' < ');
export const REPLICA_ORDER = Object.keys(REPLICA).join(' < ');

const every = [noServer, noDesktop, noNode];

function upward(room: string, advice: string): Ban {
  const rooms = Object.keys(ROOMS);
  const barred = [...rooms.slice(rooms.indexOf(room) + 1), WORKER];
  const group = barred.flatMap((to) =>
    ['#web', '**/src', '..', '../..', '../../..'].map((from) => `${from}/${to}/**`),
  );
  return { group, message: `${advice} Order: ${ROOM_ORDER}.`.trim() };
}

function upwardInReplica(folder: string, advice: string): Ban[] {
  const folders = Object.keys(REPLICA);
  const barred = folders.slice(folders.indexOf(folder) + 1);
  if (barred.length === 0) return [];
  const group = barred.flatMap((to) => ['**/replica', '..'].map((from) => `${from}/${to}/**`));
  return [{ group, message: `${advice} Order: ${REPLICA_ORDER}.` }];
}

function besides(feature: string): Ban {
  const others = FEATURES.filter((each) => each !== feature);
  return {
    group: others.flatMap((to) => ['**/features', '..', '../..'].map((from) => `${from}/${to}/**`)),
    message:
      'Features do not import each other: move the shared part to customer/, payments/ or ui/.',
  };
}

/** Who may import what in web/src. */
export const WEB_OVERRIDES = [
  ...banIn(['web/src/**/*.{ts,tsx}'], ...every),
  ...Object.entries(ROOMS).flatMap(([room, advice]) =>
    banIn(
      [`web/src/${room}/**/*.{ts,tsx}`],
      ...every,
      upward(room, advice),
      ...(room === 'replica' ? [noReact] : []),
    ),
  ),
  ...Object.entries(REPLICA).flatMap(([folder, advice]) =>
    banIn(
      [`web/src/replica/${folder}/**/*.ts`],
      ...every,
      upward('replica', ROOMS['replica'] ?? ''),
      noReact,
      ...upwardInReplica(folder, advice),
    ),
  ),
  ...FEATURES.flatMap((feature) =>
    banIn(
      [`web/src/features/${feature}/**/*.{ts,tsx}`],
      ...every,
      upward('features', ROOMS['features'] ?? ''),
      besides(feature),
    ),
  ),
];
