import { describeMainJob } from './main-job.ts';
import { startEmbedded } from './product.ts';

describeMainJob('one process on the embedded database', startEmbedded);
