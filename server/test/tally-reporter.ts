import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints "N passed, N failed, N skipped" over all suites, alone on the run's last line. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) tally.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        tally[state === 'pending' ? 'skipped' : state] += 1;
      }
    }
    const line = `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`;
    // The other reporters write after this event; only the process's end is after them.
    process.once('exit', () => {
      writeSync(1, line);
      // What goes wrong before the first test, vitest tells and ends with 0 all the same.
      if (tally.failed > 0) process.exitCode = 1;
    });
  }
}
