import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  environmentWith,
  makeRunFolder,
  removeRunFolder,
} from '../../test/run/temporary-folder.ts';
import type { Mutant } from './find-mutants.ts';
import type { FileOutcome, TestFile } from './mutated-tests.ts';
import type { Answer, Question, Told } from './runner-process.ts';

const GONE = new Set<() => void>();
process.once('exit', () => GONE.forEach((kill) => kill()));

/** How a run went. */
export interface Run {
  outcomes: readonly FileOutcome[];
  /** The file that took longer than allowed; those behind it were not run. */
  hung: string | undefined;
}
/** How long a test file may take, ms. */
export type Patience = (file: string | undefined) => number;

/**
 * A process that runs tests. A mutant can loop for ever, so the process and its workers are a group that
 * is killed as one, and made anew.
 */
export class Runner {
  readonly #mutants: readonly Mutant[];
  readonly #onStart: ((child: ChildProcess) => void) | undefined;
  #child: ChildProcess | undefined;
  /** For its temporary files: it is killed, so it can't remove them itself. */
  #folder: string | undefined;
  files: readonly TestFile[] = [];

  /** @param onStart what is done with each process that is made */
  constructor(mutants: readonly Mutant[], onStart?: (child: ChildProcess) => void) {
    this.#mutants = mutants;
    this.#onStart = onStart;
  }

  async start(): Promise<void> {
    this.#folder = makeRunFolder(tmpdir());
    const env = { ...process.env, ...environmentWith(this.#folder) };
    const child = fork(join(import.meta.dirname, 'runner-process.ts'), { detached: true, env });
    this.#child = child;
    this.#onStart?.(child);
    GONE.add(this.stop);
    const planted = await this.#ask({ ask: 'plant', mutants: this.#mutants });
    if (planted?.told === 'planted') this.files = planted.files;
  }

  /** Without patience it is waited for. */
  async run(
    files: readonly TestFile[],
    { bail, patience }: { bail: boolean; patience?: Patience },
  ): Promise<Run> {
    if (!this.#child) await this.start();
    const ended: FileOutcome[] = [];
    let running: string | undefined;
    const hear = (told: Told): void => {
      if (told.told === 'began') running = told.file;
      if (told.told === 'ended') ended.push(told.outcome);
    };
    const answer = await this.#ask({ ask: 'run', files, bail }, hear, patience);
    if (answer?.told === 'ran')
      return { outcomes: withErrors(ended, answer.errors), hung: undefined };
    const isLeft = ({ file }: TestFile): boolean => !ended.some((other) => other.file === file);
    const left = files.filter(isLeft).map(({ file }) => file);
    return { outcomes: ended, hung: left.find((file) => file === running) ?? left[0] };
  }

  readonly stop = (): void => {
    const pid = this.#child?.pid;
    this.#child = undefined;
    GONE.delete(this.stop);
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It had ended by itself.
    }
    if (this.#folder !== undefined) removeRunFolder(this.#folder);
    this.#folder = undefined;
  };

  /** Nothing where a file took too long, or the process ended. */
  #ask(
    question: Question,
    hear?: (told: Told) => void,
    patience?: Patience,
  ): Promise<Answer | undefined> {
    const child = this.#child;
    return new Promise((resolve) => {
      let late: NodeJS.Timeout | undefined;
      const wait = (file?: string): void => {
        clearTimeout(late);
        if (patience) late = setTimeout(() => end(undefined), patience(file));
      };
      const end = (answer: Answer | undefined): void => {
        clearTimeout(late);
        child?.off('message', told).off('exit', gone);
        if (!answer) this.stop();
        resolve(answer);
      };
      const told = (message: Told): void => {
        if (message.told === 'planted' || message.told === 'ran') return end(message);
        hear?.(message);
        return wait(message.told === 'began' ? message.file : undefined);
      };
      const gone = (): void => end(undefined);
      child?.on('message', told).once('exit', gone);
      wait();
      child?.send(question);
    });
  }
}

/** Errors that no test caught could be of any of the files. */
function withErrors(outcomes: readonly FileOutcome[], errors: string): readonly FileOutcome[] {
  if (errors === '') return outcomes;
  return outcomes.map((each) => ({ ...each, isGreen: false, told: each.told || errors }));
}
