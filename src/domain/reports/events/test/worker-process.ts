/** Workers for tests that kill them: `KEY=… node worker-process.ts DATABASE_URL`. */

import { startWebhookWorker } from '../../../webhooks/delivery/worker.ts';
import { openDeps } from '../../../webhooks/test/deps.ts';
import { startEventWorker } from '../worker.ts';

const deps = await openDeps(process.argv[2]!, { keyEncryptionKey: process.env.KEY! });
startEventWorker(deps);
startWebhookWorker(deps);
