import { runEntry } from './entry.ts';
import { allJobs, runJobs } from './jobs/all-jobs.ts';
import { openOperating } from '#server/ops/operator/operator.ts';
import { wire } from './wire.ts';

/** Detection, delivery, charges and mail. Any number of these may run against one Postgres. */
await runEntry(async (config, signal) => {
  const { deps, close } = await wire(config);
  try {
    deps.log.info('working');
    const operating = await openOperating(deps, config, signal);
    try {
      await runJobs(
        allJobs(deps, (found) => operating.metrics.invariantsChecked(found)),
        signal,
      );
    } finally {
      await operating.stop();
    }
  } finally {
    await close();
  }
});
