import { expect, test } from 'vitest';
import { playShortForm } from './play-short-form.ts';
import { SHORT_FORMS } from './short-forms.ts';

// Side by side: the first two wait 20 s for a poll of the network.
test.concurrent.each(SHORT_FORMS)(
  'the command $command works: its short form ends with 0 and prints its result',
  async (form) => {
    expect(await playShortForm(form)).toMatch(form.prints);
  },
);
