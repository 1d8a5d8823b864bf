import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ERROR_STATUS, type ErrorCode, NO_SESSION_CODES } from '#shared/contract/error-code.ts';
import { SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { EVENT_SIGNATURE } from '#server/adapters/stripe/stripe-events.ts';
import { type ApiSchema, apiSchema, componentSchemas } from './api-schema.ts';
import { OTHER_ENDPOINTS, type OtherEndpoint } from './other-endpoints.ts';

/** Answers of every call: those of its own, and those of what is checked before it runs. */
export function errorCodesOf(call: Call): ErrorCode[] {
  const isPost = call.method === 'POST';
  return [
    'invalid_input',
    'malformed_body',
    'card_not_taken',
    ...(call.session === 'required' ? NO_SESSION_CODES : []),
    ...(isPost ? (['foreign_origin', 'body_too_large', 'wrong_content_type'] as const) : []),
    ...call.errors,
    'internal',
  ];
}

/** The OpenAPI 3.1 description of every call of the contract. */
export function describeApi(publicUrl: string, cookieName: string): Record<string, unknown> {
  const paths = Object.entries(CALLS).map(([name, call]) => [
    call.path,
    { [call.method.toLowerCase()]: describeCall(name, call) },
  ]);
  const others = OTHER_ENDPOINTS.map((endpoint) => [
    endpoint.path,
    { [endpoint.method.toLowerCase()]: describeOther(endpoint) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description:
        'Every answer is `{status, message?, data?}`, sometimes with one more field. An error also has `code` and, for invalid input, `fields`.',
    },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries([...paths, ...others]),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName },
        signature: { type: 'apiKey', in: 'header', name: SIGNATURE_HEADER },
        gatewaySignature: { type: 'apiKey', in: 'header', name: EVENT_SIGNATURE },
      },
    },
  };
}

function describeCall(name: string, call: Call): Record<string, unknown> {
  const input = apiSchema(call.input, 'input');
  const { tokenInput } = call;
  const schema = tokenInput ? { anyOf: [input, apiSchema(tokenInput, 'input')] } : input;
  return {
    operationId: name,
    summary: call.summary,
    security: call.session === 'required' ? [{ session: [] }] : [],
    ...(call.encoding === 'query'
      ? { parameters: describeParameters(input) }
      : { requestBody: { required: true, content: { [contentType(call)]: { schema } } } }),
    responses: { '200': describeSuccess(call), ...describeErrors(errorCodesOf(call)) },
  };
}

export function contentType(call: Pick<Call, 'encoding'>): string {
  return call.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function describeParameters({ properties = {}, required = [] }: ApiSchema): unknown[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function describeSuccess(call: Call): Record<string, unknown> {
  const { properties = {}, required = [] } = call.extra ? apiSchema(call.extra, 'output') : {};
  const schema = {
    type: 'object',
    properties: {
      status: { const: 'success' },
      message: { type: 'string' },
      data: apiSchema(call.data, 'output'),
      ...properties,
    },
    required: ['status', 'data', ...required],
  };
  return { description: 'Success', content: { 'application/json': { schema } } };
}

/** One response per status, naming the codes it can carry. */
function describeErrors(codes: readonly ErrorCode[]): Record<string, unknown> {
  const schema = { $ref: '#/components/schemas/ErrorAnswer' };
  const byStatus = Object.entries(Object.groupBy(codes, (code) => String(ERROR_STATUS[code])));
  return Object.fromEntries(
    byStatus.map(([status, same = []]) => [
      status,
      { description: same.join(', '), content: { 'application/json': { schema } } },
    ]),
  );
}

function describeOther(endpoint: OtherEndpoint): Record<string, unknown> {
  const { name, summary, errors, operation } = endpoint;
  const responses = { ...describeErrors(errors), ...operation.responses };
  return { operationId: name, summary, ...operation, responses };
}
