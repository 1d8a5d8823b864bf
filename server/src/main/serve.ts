import { operatorSentence } from '#shared/domain/people/operator.ts';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { aborted, runEntry } from './entry.ts';
import { createDeliverySentence } from '#server/delivery/promise/delivery-promise.service.ts';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { listen } from '#server/kit/http/listen.ts';
import { openOperating, timed } from '#server/ops/operator/operator.ts';
import { wire } from './wire.ts';

/** API and static web build; `work.ts` does the work. */
await runEntry(async (config, signal) => {
  const { deps, close } = await wire(config);
  try {
    const app = createApp(deps, { stopping: signal });
    registerWebBuild(app, join(import.meta.dirname, '../../../web/dist'), {
      publicUrl: deps.settings.publicUrl,
      operatorSentence: operatorSentence(deps.settings.operatorIdentity),
      deliverySentence: createDeliverySentence(deps),
    });
    const operating = await openOperating(deps, config, signal);
    try {
      const stop = await listen(timed(deps, app, operating.metrics), config, {
        goOnMs: config.goOnMs,
      });
      deps.log.info('serving', { reason: config.publicUrl });
      await aborted(signal);
      await stop();
    } finally {
      await operating.stop();
    }
  } finally {
    await close();
  }
});
