import { describeMainJob } from './main-job.ts';
import { startOnPostgres } from './product.ts';

describeMainJob('serve and two workers on Postgres', startOnPostgres);
