import type { Locator, Page } from 'playwright-core';
import type { SandboxControl } from './sandbox-control.ts';

/** What a form can reach: who fills it, and the books that tell what was done. */
export interface FormWorld {
  page: Page;
  userId: string;
  sandbox: SandboxControl;
  /** A call of the signed-in customer, from outside the page. */
  call: (path: string, data?: object) => Promise<unknown>;
}

/** A form, how a person gets to it, and what it has to say when things go wrong. */
export interface FormCase {
  name: string;
  /** The file that draws it. */
  source: string;
  /** Whose it is: a visitor's, or that of a customer of this username, with a plan paid or not. */
  who: { visitor: true } | { igUsername: string; hasPlan: boolean };
  path: string;
  open?: (world: FormWorld) => Promise<void>;
  /** The same without the books being asked, for trying bad input. */
  openAnyhow?: (page: Page) => Promise<void>;
  form: (page: Page) => Locator;
  /** Good values by label, or how to get them. */
  fields: Record<string, string | ((world: FormWorld) => Promise<string>)>;
  submit: string;
  call: string;
  /** Nothing is checked before the server is asked. */
  isJudgedByServer?: true;
  /** The two forms that are cleared by a refusal (D9). */
  isClearedByRefusal?: true;
  /** What stands there without an answer, when it isn't the usual. */
  lost?: RegExp;
  /** What a person reads after sending again what the server had already done. */
  again: (page: Page) => Promise<unknown>;
  /** How often it was done, by the books. */
  count?: (world: FormWorld) => Promise<number>;
}

/** A form by its name. */
export const form = (name: string) => (page: Page) => page.getByRole('form', { name });

/** A form by the button that sends it. */
export const formWith = (button: string) => (page: Page) =>
  page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });

/** Waits for a sentence. */
export const text = (sentence: string | RegExp) => (page: Page) =>
  page.getByText(sentence).first().waitFor();

export const click = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
