/** A process that only sends e-mail, configured by its environment, for tests that kill it. */
import { openDeps } from '../../../../src/app/deps.ts';
import { completeSettings } from '../../../../src/app/settings.ts';
import { readConfig } from '../../../../src/base/platform/config/config.ts';
import { createLog } from '../../../../src/base/platform/log/log.ts';
import { startMailWorker } from '../../../../src/domain/webhooks/mail/worker.ts';
import { composeMail } from '../../../../src/doors/pages/mail/compose.ts';

const config = readConfig();
const { databaseUrl, rpcUrl } = config as { databaseUrl: string; rpcUrl: string };
const deps = await openDeps(completeSettings(config, { databaseUrl, rpcUrl }), createLog('silent'), { brief: true });
startMailWorker(deps, (mail) => composeMail(deps, mail));
