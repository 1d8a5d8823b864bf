import { describeMainJob } from './main-job.ts';
import { startOnPostgres } from './product.ts';
import { ownProduct } from './share-product.ts';

describeMainJob('serve and two workers on Postgres', () => ownProduct(startOnPostgres));
