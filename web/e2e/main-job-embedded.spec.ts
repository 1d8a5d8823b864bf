import { describeMainJob } from './main-job.ts';
import { shareProduct } from './share-product.ts';

describeMainJob('one process on the embedded database', () => shareProduct());
