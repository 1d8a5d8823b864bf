import { runEntry } from './entry.ts';
import { allJobs, runJobs } from './jobs/all-jobs.ts';
import { wire } from './wire.ts';

/** Detection, delivery, charges and mail. Any number of these may run against one Postgres. */
await runEntry(async (config, signal) => {
  const { deps, close } = await wire(config);
  try {
    deps.log.info('working');
    await runJobs(allJobs(deps), signal);
  } finally {
    await close();
  }
});
