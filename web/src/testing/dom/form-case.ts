import type { Call } from '#shared/contract/call.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { Reply } from './fake-server.ts';
import type { Locator } from './locator.ts';
import type { Page, PageOptions } from './open-page.ts';

/** A form, how a person gets to it, and what it has to say when things go wrong. */
export interface FormCase {
  name: string;
  /** The file that draws it. */
  source: string;
  /** Whose it is; a visitor's without one. */
  user?: User;
  path: string;
  /** What the page needs before the form can be seen. */
  page?: Pick<PageOptions, 'replica' | 'server'>;
  open?: (page: Page) => Promise<void>;
  form: (page: Page) => Locator;
  /** Good values by label. */
  fields: Record<string, string>;
  submit: string | RegExp;
  call: Call;
  /** Nothing is checked before the server is asked. */
  isJudgedByServer?: true;
  /** The two forms that are cleared by a refusal (D9). */
  isClearedByRefusal?: true;
  /** A submit's repeats carry its key, and the server does it once. */
  hasKey?: true;
  /** What stands there without an answer, when it isn't the usual. */
  lost?: RegExp;
  /** How the server answers what it had already done. */
  reply: Reply;
  /** What a person reads then. */
  again: (page: Page) => Promise<unknown>;
}

/** A form by its name. */
export const form = (name: string) => (page: Page) => page.getByRole('form', { name });

/** A form by the button that sends it. */
export const formWith = (button: string) => (page: Page) =>
  page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });

/** Waits for a sentence. */
export const text = (sentence: string | RegExp) => (page: Page) =>
  page.getByText(sentence).waitFor();

export const click = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
