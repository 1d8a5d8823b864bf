import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AtName } from './at-name.tsx';

test.each([
  ['ada', '<span>@ada</span>'],
  ['house.of_paper', '<span>@house.<wbr/>of_<wbr/>paper</span>'],
  ['_ada__l.', '<span>@_<wbr/>ada__<wbr/>l.</span>'],
])('the name %s may go on in another line behind its dots and underscores', (name, html) => {
  expect(renderToStaticMarkup(<AtName of={name} />)).toBe(html);
});
