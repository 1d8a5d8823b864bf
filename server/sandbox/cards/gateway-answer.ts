/** What the gateway answers to work that began; kept under the call's idempotency key, success or not. */
export interface GatewayAnswer {
  status: number;
  body: object;
  /** The answer is kept back the first time. */
  isHeldBack?: boolean;
}

export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorDetails {
  type: ErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  payment_intent?: object;
}

/** A call refused before it did anything: nothing is written and nothing remembered. */
export class GatewayRefusal extends Error {
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, details: ErrorDetails) {
    super(details.message);
    this.name = 'GatewayRefusal';
    this.status = status;
    this.details = details;
  }
}

export function done(body: object): GatewayAnswer {
  return { status: 200, body };
}

/** A card said no: status 402, kept like a success. */
export function cardRefused(details: Omit<ErrorDetails, 'type'>): GatewayAnswer {
  return { status: 402, body: { error: { type: 'card_error', ...details } } };
}

export function missing(param: string): GatewayRefusal {
  return new GatewayRefusal(400, {
    type: 'invalid_request_error',
    code: 'parameter_missing',
    message: `Missing required param: ${param}.`,
    param,
  });
}

export function invalid(param: string, message: string, code?: string): GatewayRefusal {
  return new GatewayRefusal(400, {
    type: 'invalid_request_error',
    message,
    param,
    ...(code && { code }),
  });
}

/** `status` 404 for an object named by the address, 400 for one named by a parameter. */
export function unknownObject(kind: string, id: string, status: 400 | 404): GatewayRefusal {
  return new GatewayRefusal(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: status === 404 ? 'id' : kind,
  });
}
