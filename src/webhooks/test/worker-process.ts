/** A delivering process of its own, for tests that kill one: `node worker-process.ts DATABASE_URL`. */
import { startWebhookWorker } from '../worker.ts';
import { openDeps } from './deps.ts';

startWebhookWorker(await openDeps(process.argv[2]!));
