import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function write(fields: object, level: 'info' | 'error' = 'info'): string[] {
  const lines: string[] = [];
  const log = createLog(
    level,
    (line) => lines.push(line),
    () => 0,
  );
  log.info('request', fields);
  return lines;
}

test('a line is JSON with its time, its severity and the fields that are allowed', () => {
  const [line = ''] = write({ requestId: 'r', method: 'POST', status: 200, durationMs: 3 });
  expect(JSON.parse(line)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    severity: 'info',
    event: 'request',
    requestId: 'r',
    method: 'POST',
    status: 200,
    durationMs: 3,
  });
});

test('what is not on the list is left out, whoever hands it over', () => {
  const body = {
    password: 'p',
    ccNum: '4242424242424242',
    cvv: '123',
    email: 'a@b.test',
    body: {},
  };
  const [line = ''] = write({ ...body, status: 500, __proto__: { token: 't' } });
  expect(Object.keys(JSON.parse(line) as object)).toEqual(['at', 'severity', 'event', 'status']);
});

test('an address, a reason and an error have no card number', () => {
  const fields = { path: '/pay/4242424242424242', reason: 'card 4242 4242 4242 4242' };
  const [line = ''] = write({ ...fields, error: new Error('4242-4242-4242-4242') });
  expect(JSON.parse(line)).toMatchObject({ path: '/pay/••••••••••••••••' });
  expect(line).not.toContain('4242');
});

test('an error is its stack: neither its fields nor its cause', () => {
  const error = new Error('no', { cause: new Error('4242424242424242') });
  Object.assign(error, { detail: 'Key (email)=(a@b.test) already exists.', body: 'secret' });
  const [line = ''] = write({ error });
  expect(line).toContain('log.test.ts');
  expect(line).not.toMatch(/4242|a@b|secret/);
});

test('an error that quotes what it choked on is told without its message', () => {
  const fromDatabase = Object.assign(
    new Error('invalid input syntax for type uuid: "ada@lovelace.test\n    at 4242424242424242"'),
    { code: '22P02' },
  );
  let fromParser: unknown;
  try {
    JSON.parse('canary-password');
  } catch (error) {
    fromParser = error;
  }
  for (const error of [fromDatabase, fromParser]) {
    const [line = ''] = write({ error });
    expect(line).toContain('log.test.ts');
    expect(line).not.toMatch(/ada@|canary|uuid/);
  }
  expect(write({ error: fromDatabase })[0]).toContain('Error 22P02');
  expect(write({ error: new Error('the queue is closed') })[0]).toContain('the queue is closed');
});

test('an object under an allowed name is left out, and so is what it would say of itself', () => {
  const loose = { password: 'canary', toJSON: () => 'canary' };
  const [line = ''] = write({ reason: loose, code: [loose], count: { valueOf: () => 'canary' } });
  expect(line).not.toContain('canary');
});

test('text that is no error is not written down', () => {
  expect(write({ error: 'password=x' })[0]).toContain('"error":"string"');
});

test('a line break in a path makes no second line, and a long one is cut', () => {
  const [line = '', ...more] = write({ path: `/a\n{"event":"forged"}${'x'.repeat(9000)}` });
  expect(more).toEqual([]);
  expect(line).not.toContain('\n');
  expect(line.length).toBeLessThan(700);
});

test('below the level nothing is written', () => {
  expect(write({ status: 200 }, 'error')).toEqual([]);
});
