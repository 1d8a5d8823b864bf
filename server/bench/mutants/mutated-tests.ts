import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import {
  BaseSequencer,
  createVitest,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import config from '../../../vitest.config.ts';
import { AREAS, filesOf, ROOT } from './areas.ts';
import { errorWords } from './error-words.ts';
import type { Mutant } from './find-mutants.ts';
import { plant } from './plant.ts';

/** A test file and the project that it runs in. */
export interface TestFile {
  project: string;
  file: string;
  /** The only tests of it to run; all of them where it isn't given. */
  only?: readonly string[];
  /** The mutant that is awake while it runs; none where it isn't given. */
  awake?: string;
}

export interface FileOutcome extends TestFile {
  isGreen: boolean;
  /** What went wrong first. */
  told: string;
  seconds: number;
  /** Functions of the product that it calls. */
  reached: readonly string[];
  tests: ReadonlyArray<{ name: string; ms: number }>;
}

const PROJECTS = new Set(['code', 'pglite']);

/** Nearest first, as they are handed over. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Hears of a test file that is about to be run, and of its end. */
export interface Progress {
  began: (file: string) => void;
  ended: (outcome: FileOutcome) => void;
}

/** The tests of the code and of the embedded database, with mutants planted in memory: no file of the tree is touched. */
export class MutatedTests {
  readonly #vitest: Vitest;

  private constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  static async start(mutants: readonly Mutant[], progress: Progress): Promise<MutatedTests> {
    const projects = (config.test?.projects ?? []).flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project)) return [];
      const name = project.test?.name;
      if (typeof name !== 'string' || !PROJECTS.has(name)) return [];
      const setupFiles = [join(import.meta.dirname, 'worker-setup.ts')];
      return [{ ...project, plugins: [planting(mutants)], test: { ...project.test, setupFiles } }];
    });
    const vitest = await createVitest({
      config: false,
      root: ROOT,
      watch: false,
      reporters: [
        {
          onTestModuleQueued: ({ moduleId }) => progress.began(relative(ROOT, moduleId)),
          onTestModuleEnd: (module) => progress.ended(outcomeOf(module)),
        },
      ],
      onConsoleLog: () => false,
      sequence: { sequencer: AsGiven },
      maxWorkers: 1,
      projects,
    });
    await vitest.standalone();
    return new MutatedTests(vitest);
  }

  /** Every test file but those of tools. */
  async list(): Promise<TestFile[]> {
    const specifications = await this.#vitest.globTestSpecifications();
    return specifications
      .map(({ project, moduleId }) => ({ project: project.name, file: relative(ROOT, moduleId) }))
      .filter(({ file }) => !file.startsWith('server/bench/'));
  }

  /**
   * Runs the files one after another, until one test fails where asked.
   * @returns in words, the errors that no test caught
   */
  async run(files: readonly TestFile[], bail: boolean): Promise<string> {
    const awake = files.flatMap(({ file, awake: key }) => (key ? [[join(ROOT, file), key]] : []));
    this.#vitest.provide('awakeMutants', Object.fromEntries(awake) as Record<string, string>);
    for (const project of this.#vitest.projects) project.config.bail = bail ? 1 : 0;
    const specifications = files.map(({ project, file, only }) =>
      this.#vitest
        .getProjectByName(project)
        .createSpecification(join(ROOT, file), only ? { testNames: [...only] } : undefined),
    );
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
    return unhandledErrors.map(errorWords).join('; ');
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }
}

function outcomeOf(module: TestModule): FileOutcome {
  return {
    project: module.project.name,
    file: relative(ROOT, module.moduleId),
    isGreen: module.ok(),
    told: firstProblem(module) ?? '',
    seconds: module.diagnostic().duration / 1000,
    reached: module.meta().reachedSpots ?? [],
    tests: [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      ms: test.diagnostic()?.duration ?? 0,
    })),
  };
}

function firstProblem(module: TestModule): string | undefined {
  const [failed] = module.children.allTests('failed');
  const errors = failed?.result().errors ?? module.errors();
  return errors[0] && `${failed?.name ?? 'the file'}: ${errorWords(errors[0])}`;
}

/** Puts the mutants into what the tests import; every file of an area tells what is reached. */
function planting(mutants: readonly Mutant[]): Plugin {
  const files = new Set(AREAS.flatMap(filesOf));
  return {
    name: 'mutants',
    enforce: 'pre',
    transform(code, id) {
      const file = relative(ROOT, id);
      if (!files.has(file)) return null;
      const own = mutants.filter((mutant) => mutant.file === file);
      return { code: plant(file, code, own), map: null };
    },
  };
}
