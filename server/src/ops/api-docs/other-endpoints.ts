import { type ErrorCode, NO_SESSION_CODES } from '#shared/contract/error-code.ts';
import {
  PROVIDER_BATCH_MAX,
  ProviderEvents,
  SIGNATURE_HEADER,
  SIGNATURE_MAX_AGE_SECONDS,
} from '#shared/contract/provider-protocol.ts';
import { EVENT_SIGNATURE } from '#server/adapters/stripe/stripe-events.ts';
import { THUMBNAIL_WIDTHS } from '#server/network/images/thumbnail.ts';
import { apiSchema } from './api-schema.ts';

/** What is served besides the calls of the contract. */
export interface OtherEndpoint {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /** Label and value, for readers. */
  facts: ReadonlyArray<readonly [label: string, value: string]>;
  errors: readonly ErrorCode[];
  /** Parts of the OpenAPI operation that are its own. */
  operation: { responses: Record<string, unknown> } & Record<string, unknown>;
}

const image: OtherEndpoint = {
  name: 'image',
  method: 'GET',
  path: '/proxy/{imagePath}',
  summary:
    'A picture of a post or profile, as `display_url` and `profilePic` name it; the path never changes.',
  facts: [
    ['Smaller ones', `?w=${THUMBNAIL_WIDTHS.join(' | ')}`],
    ['Session', 'required'],
    ['Answers', 'the picture'],
  ],
  errors: [
    'invalid_input',
    ...NO_SESSION_CODES,
    'not_yours',
    'not_found',
    'rate_limited',
    'internal',
  ],
  operation: {
    security: [{ session: [] }],
    parameters: [
      { name: 'imagePath', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'w',
        in: 'query',
        required: false,
        schema: { type: 'integer', enum: THUMBNAIL_WIDTHS },
      },
    ],
    responses: {
      '200': { description: 'The picture', content: { 'image/*': {} } },
      '503': {
        description:
          'No body: the picture can’t be fetched from the network right now; see Retry-After',
      },
    },
  },
};

const providerEvents: OtherEndpoint = {
  name: 'providerEvents',
  method: 'POST',
  path: '/provider/events',
  summary: `Progress of up to ${PROVIDER_BATCH_MAX} orders, sent by the delivery provider; may arrive twice, late or out of order.`,
  facts: [
    ['Sent as', 'application/json'],
    ['Signature in', SIGNATURE_HEADER],
    ['Signature valid for', `${SIGNATURE_MAX_AGE_SECONDS} s`],
  ],
  errors: ['invalid_input', 'malformed_body', 'bad_signature', 'body_too_large', 'internal'],
  operation: {
    security: [{ signature: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: apiSchema(ProviderEvents, 'input') } },
    },
    responses: { '200': { description: 'Stored' } },
  },
};

const gatewayEvents: OtherEndpoint = {
  name: 'gatewayEvents',
  method: 'POST',
  path: '/stripe/events',
  summary:
    'Events of the card gateway. Hints only: what has happened is asked of the gateway; may arrive twice, late or out of order.',
  facts: [
    ['Sent as', 'application/json, at most 1 MB'],
    ['Signature in', EVENT_SIGNATURE],
    ['Signature valid for', '300 s'],
  ],
  errors: [
    'invalid_input',
    'malformed_body',
    'bad_signature',
    'body_too_large',
    'rate_limited',
    'internal',
    'overloaded',
  ],
  operation: {
    security: [{ gatewaySignature: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: { '200': { description: 'Heard' } },
  },
};

const ledgerDownload: OtherEndpoint = {
  name: 'ledgerDownload',
  method: 'GET',
  path: '/user/creditsTransaction/ledger.csv',
  summary: 'Every change of the credit balance as a spreadsheet, newest first.',
  facts: [
    ['Session', 'required'],
    ['Answers', 'text/csv'],
  ],
  errors: [...NO_SESSION_CODES, 'internal'],
  operation: {
    security: [{ session: [] }],
    responses: { '200': { description: 'The ledger', content: { 'text/csv': {} } } },
  },
};

export const OTHER_ENDPOINTS: readonly OtherEndpoint[] = [
  image,
  ledgerDownload,
  providerEvents,
  gatewayEvents,
];
