import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** Seconds of each file, by project, as `npm run test:profile` last measured them. */
type Weights = Record<string, Record<string, number>>;
const WEIGHTS_FILE = join(import.meta.dirname, 'weights.json');

/**
 * Longest files first, so that no long one begins when the other workers are done. A file without a
 * weight is new: it goes first. One project after another, the one with the longest files first too, because a
 * worker that changes between them starts anew.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weights = JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')) as Weights;
    const weightOf = ({ project, moduleId }: TestSpecification): number =>
      weights[project.name]?.[relative(ROOT, moduleId)] ?? Infinity;
    const projectWeight = ({ project }: TestSpecification): number => {
      const seconds = Object.values(weights[project.name] ?? {});
      return seconds.reduce((sum, each) => sum + each, 0) / Math.max(1, seconds.length);
    };
    return [...files].sort(
      (a, b) => projectWeight(b) - projectWeight(a) || weightOf(b) - weightOf(a) || 0,
    );
  }
}
