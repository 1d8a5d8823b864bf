import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { ErrorPage } from './bare-page.tsx';

function markup(canReload: boolean): string {
  return renderToStaticMarkup(
    <MemoryRouter>
      <ErrorPage what="It is not here." home="/" canReload={canReload}>
        Look elsewhere.
      </ErrorPage>
    </MemoryRouter>,
  );
}

// Shows fact 2.09.
test('at an address without a page the first page is the one thing to do', () => {
  expect(markup(false)).not.toContain('Reload the page');
  expect(markup(false)).toMatch(/<a href="\/" class="[^"]*filled[^"]*">Go to the home page/);
});

test('a page that broke can be loaded again first, or left for the first page', () => {
  expect(markup(true)).toMatch(/<button[^>]*filled[^>]*>Reload the page/);
  expect(markup(true)).toMatch(/<a href="\/" class="[^"]*outline[^"]*">Go to the home page/);
});
