import { html } from 'hono/html';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ERROR_STATUS, type ErrorCode } from '#shared/contract/error-code.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import {
  type ApiSchema,
  apiSchema,
  COMPONENT_NAMES,
  componentSchemas,
  rulesOf,
} from './api-schema.ts';
import { fieldType } from './field-type.ts';
import { contentType, errorCodesOf } from './openapi.ts';
import { OTHER_ENDPOINTS, type OtherEndpoint } from './other-endpoints.ts';

type Html = ReturnType<typeof html>;

/** The page at /docs: every call with what it takes and what it answers. */
export function apiPage(publicUrl: string): Html {
  const calls = Object.entries(CALLS);
  const schemas = Object.entries(componentSchemas());
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>API · ${PRODUCT_NAME}</title>
        <link rel="stylesheet" href="/docs/api-page.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#calls">Skip to the calls</a>
        <header class="top">
          ${ARCS}
          <p class="brand">${PRODUCT_NAME}</p>
          <h1>API</h1>
          <p class="lead">
            The calls the app itself makes. Each answer is JSON with a
            <code>status</code>, often a <code>message</code>, and its <code>data</code>.
          </p>
          <p class="facts">
            <span>Host <code>${publicUrl}</code></span>
            <a href="/docs/openapi.json">OpenAPI 3.1 description</a>
          </p>
        </header>
        <div class="columns">
          <nav aria-label="Contents">
            <h2>Calls</h2>
            <ul>
              ${calls.map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}
              ${OTHER_ENDPOINTS.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
            </ul>
            <h2>Objects</h2>
            <ul>
              ${schemas.map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}
            </ul>
          </nav>
          <main id="calls">
            ${generalRules()} ${calls.map(([name, call]) => callSection(name, call))}
            ${OTHER_ENDPOINTS.map(otherSection)}
            ${schemas.map(([name, schema]) => schemaSection(name, schema))}
          </main>
        </div>
      </body>
    </html>`;
}

/** Rows of seats around a stage. */
const ARCS = html`<svg class="arcs" viewBox="0 0 320 160" aria-hidden="true">
  ${[40, 64, 88, 112, 136].map(
    (radius) =>
      html`<path d="M ${160 - radius} 160 a ${radius} ${radius} 0 0 1 ${2 * radius} 0" />`,
  )}
</svg>`;

function generalRules(): Html {
  return html`<section class="rules">
    <h2>Rules for every call</h2>
    <ul>
      <li>
        Log in with <a href="#login">login</a> or <a href="#register">register</a>; the session is
        an <code>HttpOnly</code> cookie.
      </li>
      <li>
        A form call takes <code>application/x-www-form-urlencoded</code> only, the others
        <code>application/json</code> only, up to 64 KB. Numbers may be digits as text, and unknown
        fields are ignored.
      </li>
      <li>
        An error is <a href="#ErrorAnswer">ErrorAnswer</a>: a sentence for the customer, a
        <code>code</code>, and sentences for single <code>fields</code>. 429 and 503 carry
        <code>Retry-After</code> in seconds.
      </li>
      <li>
        Browsers can only call it from ${PRODUCT_NAME}’s own pages. A <code>userId</code> must
        belong to the session.
      </li>
      <li>
        Payments: send an <code>Idempotency-Key</code>; the same key and body get the same answer
        and one charge.
      </li>
    </ul>
  </section>`;
}

function callSection(name: string, call: Call): Html {
  const input = apiSchema(call.input, 'input');
  const sentAs = call.encoding === 'query' ? 'query string' : contentType(call);
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${name}</h2>
    <p class="request">
      <span class="method">${call.method}</span> <code class="path">${call.path}</code>
    </p>
    <p>${call.summary}</p>
    <p class="facts">
      <span>Sent as <b>${sentAs}</b></span>
      <span>Session <b>${call.session === 'required' ? 'required' : 'not needed'}</b></span>
    </p>
    ${fieldTable(name, input, (field) => rulesOf(fieldSchema(call.input, field)))}
    ${tokenFields(name, call)}
    <p class="answer">Returns <code>data</code>: ${typeLink(apiSchema(call.data, 'output'))}</p>
    ${extraFields(call)} ${errorList(errorCodesOf(call))}
  </section>`;
}

/** What stands beside `data`. */
function extraFields({ extra }: Call): Html[] {
  const { properties = {} } = extra ? apiSchema(extra, 'output') : {};
  return Object.entries(properties).map(
    ([name, schema]) =>
      html`<p class="answer">Also returns <code>${name}</code>: ${typeLink(schema)}</p>`,
  );
}

/** What is sent instead where cards are entered in the gateway's own fields. */
function tokenFields(name: string, { tokenInput }: Call): Html | '' {
  if (!tokenInput) return '';
  const fields = apiSchema(tokenInput, 'input');
  return html`<p class="facts">With a card from the gateway’s own fields, instead:</p>
    ${fieldTable(`${name} with a token`, fields, (field) =>
      rulesOf(fieldSchema(tokenInput, field)),
    )}`;
}

function fieldSchema(input: Call['input'], field: string): unknown {
  const entries: unknown = 'entries' in input ? input.entries : undefined;
  return (entries as Record<string, unknown> | undefined)?.[field];
}

function fieldTable(
  owner: string,
  { properties = {}, required = [] }: ApiSchema,
  rules?: (field: string) => string[],
): Html {
  const fields = Object.entries(properties);
  if (fields.length === 0) return html`<p class="facts">No fields.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Fields of ${owner}">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Holds</th>
          ${rules ? html`<th scope="col">Error message</th>` : ''}
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          ([name, schema]) =>
            html`<tr>
              <th scope="row">
                <code>${name}</code>
                ${required.includes(name) ? '' : html`<small>${optionalNote(schema)}</small>`}
              </th>
              <td>${typeLink(schema)}</td>
              ${
                rules
                  ? html`<td>
                      ${rules(name).map((rule) => html`<span class="rule">${rule}</span>`)}
                    </td>`
                  : ''
              }
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function optionalNote({ default: value }: ApiSchema): string {
  return value === undefined || value === ''
    ? 'optional'
    : `optional, else ${JSON.stringify(value)}`;
}

/** A type in words; names of objects lead to their section. */
function typeLink(schema: ApiSchema): Html[] {
  return fieldType(schema)
    .split(/\b/)
    .map((word) =>
      COMPONENT_NAMES.has(word) ? html`<a href="#${word}">${word}</a>` : html`${word}`,
    );
}

function errorList(codes: readonly ErrorCode[]): Html {
  return html`<ul class="errors" aria-label="Errors">
    ${codes.map((code) => html`<li><b>${ERROR_STATUS[code]}</b> ${code}</li>`)}
  </ul>`;
}

function otherSection({ name, method, path, summary, facts, errors }: OtherEndpoint): Html {
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${name}</h2>
    <p class="request"><span class="method">${method}</span> <code class="path">${path}</code></p>
    <p>${summary.replaceAll('`', '')}</p>
    <p class="facts">
      ${facts.map(([label, value]) => html`<span>${label} <b>${value}</b></span>`)}
    </p>
    ${errorList(errors)}
  </section>`;
}

function schemaSection(name: string, schema: ApiSchema): Html {
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${name}</h2>
    ${fieldTable(name, schema)}
  </section>`;
}
