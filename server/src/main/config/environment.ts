import { readFileSync } from 'node:fs';
import { StartError } from '#server/kit/start-error.ts';

/** Reads single settings from the environment; every error names the variable and a way out. */
export class Environment {
  readonly #values: Record<string, string | undefined>;

  constructor(values: Record<string, string | undefined>) {
    this.#values = values;
  }

  /** The value, or what the file named by `<name>_FILE` holds; undefined when unset or empty. */
  text(name: string): string | undefined {
    const value = this.#values[name]?.trim();
    if (value) return value;
    const path = this.#values[`${name}_FILE`]?.trim();
    return path ? readSecretFile(`${name}_FILE`, path) : undefined;
  }

  port(name: string, preset: number): number {
    const text = this.text(name);
    if (text === undefined) return preset;
    const port = Number(text);
    if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
    throw new StartError(`${name} is "${text}": set it to a port from 0 to 65535.`);
  }

  /** Whole seconds, at most a minute. */
  seconds(name: string, preset: number): number {
    const text = this.text(name);
    if (text === undefined) return preset;
    if (/^\d{1,2}$/.test(text) && Number(text) <= 60) return Number(text);
    throw new StartError(`${name} is "${text}": set it to whole seconds from 0 to 60.`);
  }

  /** An address without a trailing slash. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (url && protocols.includes(url.protocol)) return text.replace(/\/+$/, '');
    // The value isn't repeated: addresses may carry passwords.
    throw new StartError(
      `${name} is not an address: write it with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, a host and, where needed, a port.`,
    );
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return choice;
    throw new StartError(
      `${name} is "${text}": set it to ${choices.join(', ')}, or leave it unset.`,
    );
  }

  /** Comma-separated values. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }

  /** A secret of at least 32 characters; its value is never repeated in an error. */
  secret(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || text.length >= 32) return text;
    throw new StartError(`${name} is too short: use at least 32 random characters.`);
  }
}

/** Secrets of an orchestrator come as files; a process's environment is read by more eyes than those. */
function readSecretFile(name: string, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (cause) {
    throw new StartError(`${name} names a file that can’t be read: put the value there.`, {
      cause,
    });
  }
}
