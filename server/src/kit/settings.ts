import type { CardEntry } from '#shared/contract/about.ts';
import type { OperatorIdentity } from '#shared/domain/people/operator.ts';

/** What the product's parts need to know of the configuration (`config.ts` reads it). */
export interface Settings {
  /** Origin of the product as customers see it, e.g. "https://ovation.example". */
  publicUrl: string;
  /** Signs image paths and other opaque values. */
  appSecret: string;
  /** Shared with the delivery provider; checks its events. */
  providerSecret: string;
  /** How a customer's card gets to the gateway. */
  cardEntry: CardEntry;
  /** What the gateway's events are signed with; none: no event is believed. */
  gatewayEventSecrets: readonly string[];
  /** Real money moves: an event of the gateway's test mode is none of ours, and the other way round. */
  isLiveGateway: boolean;
  /** Hosts (with port, where it isn't the scheme's) that pictures may be fetched from. */
  imageHosts: readonly string[];
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  supportEmail: string;
  operatorIdentity: OperatorIdentity | undefined;
  /** The operator's own line at the end of invoices. */
  invoiceNote: string | undefined;
  mailFrom: string;
  /** True while any outside system is the sandbox: figures are then labelled "demo data". */
  isSandbox: boolean;
}
