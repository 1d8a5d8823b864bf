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

test('an error is its stack: neither its fields nor its cause', () => {
  const error = new Error('no', { cause: new Error('4242424242424242') });
  Object.assign(error, { detail: 'Key (email)=(a@b.test) already exists.', body: 'secret' });
  const [line = ''] = write({ error });
  expect(line).toContain('log.test.ts');
  expect(line).not.toMatch(/4242|a@b|secret/);
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
