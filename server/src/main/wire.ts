import { createGraphClient } from '#server/adapters/graph/graph-client.ts';
import { createHttpImageSource } from '#server/adapters/images/http-image-source.ts';
import { createSmtpMailer } from '#server/adapters/mail/smtp-mailer.ts';
import { createProviderClient } from '#server/adapters/provider/provider-client.ts';
import { createHttpPushSender } from '#server/adapters/push/http-push-sender.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import type { Config } from './config/config.ts';
import { openDataDirectory } from './config/data-directory.ts';
import { connect } from '#server/kit/db/connect.ts';
import type { Deps } from '#server/kit/deps.ts';
import { noticeOtherDatabase } from '#server/replica/epoch.repository.ts';
import { keptSecret, providerSecret } from './config/kept-secret.ts';
import { createLog } from '#server/kit/log.ts';
import type { Settings } from '#server/kit/settings.ts';
import { systemClock, systemIds, systemRandom } from './system.ts';

/** The product's dependencies for real, and how to let go of them. */
interface Wired {
  deps: Deps;
  close: () => Promise<void>;
}

/** Connects everything the configuration names. Throws StartError when the database can't be had. */
export async function wire(config: Config): Promise<Wired> {
  const { outside } = config;
  const now = (): number => systemClock.now();
  const log = createLog(config.logLevel, (line) => process.stderr.write(`${line}\n`), now);
  const isKeptHere = config.databaseUrl === undefined || outside.sandbox !== undefined;
  if (isKeptHere) openDataDirectory(config.dataDir);
  const settings = readSettings(config);
  const database = await connect(config, (error) =>
    log.warn('database connection lost', { error }),
  );
  // A new embedded database unpacks its files open to everybody, whatever the umask.
  if (isKeptHere) openDataDirectory(config.dataDir);
  if (await noticeOtherDatabase(database.db)) {
    log.warn('another database than before: every replica is read anew');
  }
  const clients = connectOutside(config, settings);
  return {
    deps: {
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      log,
      database,
      ...clients,
      settings,
    },
    close: async () => {
      await Promise.allSettled(Object.values(clients).map((client) => client.close()));
      await database.close();
    },
  };
}

/** A client for each system outside; none of them is spoken to yet. */
export function connectOutside(config: Config, settings: Settings) {
  const { outside } = config;
  const now = (): number => systemClock.now();
  const network = createGraphClient({
    graphUrl: outside.graph.url,
    tokens: outside.graph.tokens,
    now,
  });
  const provider = createProviderClient({
    providerUrl: outside.provider.url,
    secret: settings.providerSecret,
    now,
  });
  const gateway = createStripeGateway({
    stripeUrl: outside.stripe.url,
    secretKey: outside.stripe.secretKey,
  });
  const imageSource = createHttpImageSource({ hosts: outside.graph.imageHosts });
  const mailer = createSmtpMailer({ smtpUrl: outside.smtpUrl, from: config.mailFrom });
  const pushSender = createHttpPushSender({
    appSecret: settings.appSecret,
    contact: `mailto:${config.supportEmail}`,
    now,
    random: systemRandom,
  });
  return { network, provider, gateway, imageSource, mailer, pushSender };
}

export function readSettings(config: Config): Settings {
  const { outside } = config;
  return {
    publicUrl: config.publicUrl,
    appSecret: config.appSecret ?? keptSecret(config.dataDir, 'app-secret', systemRandom),
    providerSecret: providerSecret(config, systemRandom),
    cardEntry: outside.stripe.cardEntry,
    gatewayEventSecrets: outside.stripe.eventSecrets,
    isLiveGateway: outside.stripe.isLive,
    imageHosts: outside.graph.imageHosts,
    trustedProxies: config.trustedProxies,
    supportEmail: config.supportEmail,
    operatorIdentity: config.operatorIdentity,
    mailFrom: config.mailFrom,
    invoiceNote: config.invoiceNote,
    isSandbox: outside.sandbox !== undefined,
  };
}
