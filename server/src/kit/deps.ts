import type { SocialNetwork } from '#server/adapters/graph/social-network.ts';
import type { ImageSource } from '#server/adapters/images/image-source.ts';
import type { Mailer } from '#server/adapters/mail/mailer.ts';
import type { PushSender } from '#server/adapters/push/push-sender.ts';
import type { DeliveryProvider } from '#server/adapters/provider/delivery-provider.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import type { Database } from './db/database.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';

/** Wall-clock time in milliseconds since 1970; tests drive their own. */
export interface Clock {
  now(): number;
  /** Resolves after the time, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Makes ids. */
export interface Ids {
  /** A UUIDv7: sorts by the time it was made. */
  uuid(): string;
}

/** Cryptographic randomness. */
export interface Random {
  bytes(length: number): Buffer;
}

/** Everything the product takes from outside itself; handed down, never reached for. */
export interface Deps {
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  database: Database;
  network: SocialNetwork;
  provider: DeliveryProvider;
  gateway: CardGateway;
  imageSource: ImageSource;
  mailer: Mailer;
  pushSender: PushSender;
  settings: Settings;
}
