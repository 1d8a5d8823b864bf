import {
  createFakeSocialNetwork,
  type FakeSocialNetwork,
} from '#server/adapters/graph/social-network.fake.ts';
import {
  createFakeImageSource,
  type FakeImageSource,
} from '#server/adapters/images/image-source.fake.ts';
import { createFakeMailer, type FakeMailer } from '#server/adapters/mail/mailer.fake.ts';
import {
  createFakePushSender,
  type FakePushSender,
} from '#server/adapters/push/push-sender.fake.ts';
import {
  createFakeDeliveryProvider,
  type FakeDeliveryProvider,
} from '#server/adapters/provider/delivery-provider.fake.ts';
import {
  createFakeCardGateway,
  type FakeCardGateway,
} from '#server/adapters/stripe/card-gateway.fake.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { LogFields } from '#server/kit/log.ts';
import type { Settings } from '#server/kit/settings.ts';
import { FakeClock } from './fake-clock.ts';
import { seededBytes, seededIds } from './seeded.ts';
import { createTestDatabase, type TestDatabase } from './databases/test-database.ts';

/** The product's dependencies with a real database and scriptable outside systems. */
export interface TestDeps extends Deps {
  clock: FakeClock;
  database: TestDatabase;
  network: FakeSocialNetwork;
  provider: FakeDeliveryProvider;
  gateway: FakeCardGateway;
  imageSource: FakeImageSource;
  mailer: FakeMailer;
  pushSender: FakePushSender;
  /** What was logged as a warning or an error. */
  logged: Array<{ severity: 'warn' | 'error'; event: string; fields: LogFields }>;
}

export const TEST_SETTINGS: Settings = {
  publicUrl: 'http://localhost:3000',
  appSecret: 'test-app-secret-of-at-least-32-characters',
  providerSecret: 'test-provider-secret-of-32-characters',
  cardEntry: { way: 'form' },
  gatewayEventSecrets: ['whsec_test_secret_of_32_characters'],
  isLiveGateway: false,
  imageHosts: [],
  trustedProxies: [],
  supportEmail: 'support@example.test',
  operatorIdentity: undefined,
  mailFrom: 'Ovation <hello@example.test>',
  invoiceNote: undefined,
  isSandbox: true,
};

/** Deps on a database of the test file's own; `seed` makes every random choice repeatable. */
export async function createTestDeps(
  options: {
    seed?: number;
    settings?: Partial<Settings>;
    clock?: FakeClock;
    /** Instead of a new one of the run's engine. */
    database?: TestDatabase;
  } = {},
): Promise<TestDeps> {
  const { clock = new FakeClock() } = options;
  const logged: TestDeps['logged'] = [];
  return {
    clock,
    ids: seededIds(clock),
    random: seededBytes(options.seed ?? 1),
    database: options.database ?? (await createTestDatabase()),
    network: createFakeSocialNetwork({ now: () => clock.now() }),
    provider: createFakeDeliveryProvider(),
    gateway: createFakeCardGateway(() => clock.now()),
    imageSource: createFakeImageSource(),
    mailer: createFakeMailer(),
    pushSender: createFakePushSender(),
    settings: { ...TEST_SETTINGS, ...options.settings },
    logged,
    log: {
      info: () => undefined,
      warn: (event, fields = {}) => void logged.push({ severity: 'warn', event, fields }),
      error: (event, fields = {}) => void logged.push({ severity: 'error', event, fields }),
    },
  };
}
