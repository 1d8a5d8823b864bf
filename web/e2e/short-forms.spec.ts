import { expect, test } from 'vitest';
import { playShortForm } from '#test/play-short-form.ts';
import { BROWSER_SHORT_FORMS } from '#test/short-forms.ts';
import { findBrowser } from './browser.ts';

test.each(BROWSER_SHORT_FORMS)(
  'the command $command works: its short form ends with 0 and prints its result',
  async (form) => {
    const printed = await playShortForm(form, { BROWSER_PATH: await findBrowser() });
    expect(printed).toMatch(form.prints);
  },
);
