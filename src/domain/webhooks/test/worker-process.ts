/** A worker process for tests that kill it: `node worker-process.ts DATABASE_URL`. */
import { startWebhookWorker } from '../delivery/worker.ts';
import { openDeps } from './deps.ts';

startWebhookWorker(await openDeps(process.argv[2]!));
