import { expect, test } from 'vitest';
import { linkAmong, pathOfLink } from './launch.ts';

test.each([
  ['ovation://dashboard', '/dashboard'],
  ['ovation://post/17900000000000001', '/dashboard?post=17900000000000001'],
  ['ovation://post/17900000000000001/', '/dashboard?post=17900000000000001'],
  ['ovation://billing', '/my-billing'],
  ['OVATION://Billing/', '/my-billing'],
  ['Ovation://POST/12', '/dashboard?post=12'],
])('%s opens %s', (link, path) => expect(pathOfLink(link)).toBe(path));

test.each([
  'ovation://post/../../x',
  'ovation://post/12%2F..',
  'ovation://post/1/2',
  'ovation://post//12',
  'ovation://post/',
  'ovation:post/12',
  'ovation://evil',
  'ovation://dashboard/more',
  'ovation://toString',
  'https://dashboard',
  'nonsense',
])('%s opens nothing', (link) => expect(pathOfLink(link)).toBeUndefined());

test('a link of ten megabytes opens nothing', () => {
  expect(pathOfLink(`ovation://dashboard?${'x'.repeat(10_000_000)}`)).toBeUndefined();
});

test('a link is found among the arguments of a second start', () => {
  expect(linkAmong(['/opt/ovation', '--flag', 'ovation://dashboard'])).toBe('ovation://dashboard');
  expect(linkAmong(['/opt/ovation', 'OVATION://dashboard'])).toBe('OVATION://dashboard');
  expect(linkAmong(['/opt/ovation'])).toBeUndefined();
});
