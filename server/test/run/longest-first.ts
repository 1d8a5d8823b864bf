import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** Seconds of each file, by project, as `npm run test:profile` last measured them. */
type Weights = Record<string, Record<string, number>>;
const WEIGHTS_FILE = join(import.meta.dirname, 'weights.json');

/**
 * Longest files first, so that no long one begins when the other workers are done. A file without a
 * weight is new: it goes first. Group orders are kept by the base.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weights = JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')) as Weights;
    const weightOf = ({ project, moduleId }: TestSpecification): number =>
      weights[project.name]?.[relative(ROOT, moduleId)] ?? Infinity;
    const heaviest = [...files].sort((a, b) => weightOf(b) - weightOf(a) || 0);
    const rank = new Map(heaviest.map((file, index) => [file, index]));
    const byGroup = await super.sort(files);
    const groupOf = ({ project }: TestSpecification): string =>
      `${project.config.sequence.groupOrder} ${project.name}`;
    const groups = [...new Set(byGroup.map(groupOf))];
    return groups.flatMap((group) =>
      byGroup
        .filter((file) => groupOf(file) === group)
        .sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)),
    );
  }
}
