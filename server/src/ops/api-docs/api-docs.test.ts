import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { registerApiDocsRoutes } from './api-docs.routes.ts';
import { fieldType } from './field-type.ts';
import { errorCodesOf } from './openapi.ts';

function serve(): Hono {
  const app = new Hono();
  registerApiDocsRoutes(app, { settings: TEST_SETTINGS });
  return app;
}

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}
interface BodySchema {
  properties: Record<string, unknown>;
  anyOf?: BodySchema[];
}
interface Operation {
  requestBody?: { content: Record<string, { schema: BodySchema }> };
  parameters?: Array<{ name: string; required: boolean }>;
  responses: Record<string, ResponseDescription>;
  security: unknown[];
}

interface ResponseDescription {
  description: string;
  content?: {
    'application/json': { schema: { properties: Record<string, unknown>; required: string[] } };
  };
}

async function describe(): Promise<Description> {
  return (await (await serve().request('/docs/openapi.json')).json()) as Description;
}

test('a call that takes a card tells both ways to send one', async () => {
  const { paths } = await describe();
  const body = paths[CALLS.buyCredits.path]?.['post']?.requestBody?.content['application/json'];
  const ways = body?.schema.anyOf ?? [];
  expect(ways.map(({ properties }) => Object.keys(properties).includes('ccNum'))).toEqual([
    true,
    false,
  ]);
  expect(Object.keys(ways[1]?.properties ?? {})).toContain('confirmationToken');
  const page = await (await serve().request('/docs')).text();
  expect(page).toContain('Fields of buyCredits with a token');
});

test('the description has every call with its encoding, access, fields and errors', async () => {
  const { openapi, paths } = await describe();
  expect(openapi).toBe('3.1.0');
  for (const call of Object.values(CALLS)) {
    const operation = paths[call.path]?.[call.method.toLowerCase()];
    expect(operation).toBeDefined();
    expect(operation?.security.length).toBe(call.session === 'required' ? 1 : 0);
    const codes = Object.values(operation?.responses ?? {}).map(({ description }) => description);
    for (const code of errorCodesOf(call)) expect(codes.join(', ')).toContain(code);
  }
  expect(Object.keys(paths[CALLS.login.path]?.['post']?.requestBody?.content ?? {})).toEqual([
    'application/x-www-form-urlencoded',
  ]);
  expect(paths[CALLS.getPosts.path]?.['get']?.parameters?.map(({ name }) => name)).toEqual([
    'igId',
    'limit',
    'before',
    'beforeId',
  ]);
  expect(paths['/provider/events']?.['post']?.security).toEqual([{ signature: [] }]);
  expect(paths['/proxy/{imagePath}']?.['get']?.parameters?.map(({ name }) => name)).toEqual([
    'imagePath',
    'w',
  ]);
});

test('what stands beside the data of an answer is described, and shown on the page', async () => {
  const { paths } = await describe();
  const page = await (await serve().request('/docs')).text();
  const withExtra = Object.entries(CALLS).filter(([, call]) => call.extra !== undefined);
  expect(withExtra.map(([name]) => name)).toContain('verifyUserAndSendEmail');
  let shown = 0;
  for (const [name, call] of withExtra) {
    const answer = paths[call.path]?.[call.method.toLowerCase()]?.responses['200'];
    const schema = answer?.content?.['application/json'].schema;
    const section = new RegExp(`<section id="${name}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '';
    const own = new Set(['status', 'message', 'data']);
    const fields = Object.keys(schema?.properties ?? {}).filter((field) => !own.has(field));
    expect(fields).not.toEqual([]);
    expect(schema?.required).toEqual(expect.arrayContaining(fields));
    shown += fields.length;
    for (const field of fields) expect(section).toContain(`Also returns <code>${field}</code>`);
  }
  expect(page.match(/Also returns/g)).toHaveLength(shown);
});

test('every reference in the description leads to an object that is there', async () => {
  const description = await describe();
  const references = JSON.stringify(description).match(/"\$ref":"[^"]+"/g) ?? [];
  expect(references.length).toBeGreaterThan(5);
  for (const reference of references) {
    const name = /#\/components\/schemas\/(\w+)/.exec(reference)?.[1] ?? '';
    expect(description.components.schemas).toHaveProperty(name);
  }
});

test('a number or its digits are both allowed, with the bounds on the number', async () => {
  const { paths } = await describe();
  const form = paths[CALLS.register.path]?.['post']?.requestBody?.content;
  expect(form?.['application/x-www-form-urlencoded']?.schema.properties['package']).toEqual({
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 7 },
      { type: 'string', pattern: String.raw`^\d{1,15}$` },
    ],
  });
});

test('the page shows every call with its rules and loads nothing from elsewhere', async () => {
  const response = await serve().request('/docs');
  const page = await response.text();
  expect(response.headers.get('content-type')).toContain('text/html');
  for (const [name, call] of Object.entries(CALLS)) {
    expect(page).toContain(`id="${name}"`);
    expect(page).toContain(call.path);
  }
  expect(page).toContain('Please enter a valid email address');
  expect(page).toContain('/provider/events');
  expect(page).not.toContain('<script');
  const loaded = Array.from(page.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address);
  expect(loaded.filter((address) => /^(https?:)?\/\//.test(address ?? ''))).toEqual([]);
});

test('links inside the page lead to something on it', async () => {
  const page = await (await serve().request('/docs')).text();
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id ?? '');
  for (const id of targets) expect(page).toContain(`id="${id}"`);
});

test('style and fonts come from the same place', async () => {
  const app = serve();
  const style = await app.request('/docs/api-page.css');
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  for (const [, font] of (await style.text()).matchAll(/url\('([^']+)'\)/g)) {
    const response = await app.request(font ?? '');
    expect(response.headers.get('content-type')).toBe('font/woff2');
  }
});

test('types are told in words', () => {
  expect(fieldType({ type: 'integer', minimum: 1, maximum: 7 })).toBe('whole number, 1 to 7');
  expect(fieldType({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('text or null');
  expect(fieldType({ type: 'array', items: { $ref: '#/components/schemas/Post' } })).toBe(
    'list of Post',
  );
  expect(fieldType({ enum: ['on', 'off', ''] })).toBe('on | off');
});
