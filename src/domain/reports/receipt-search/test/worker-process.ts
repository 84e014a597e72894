/** A worker process for tests that kill it: `node worker-process.ts DATABASE_URL`. */
import { entities } from '../../../../app/entities.ts';
import { createDb } from '../../../../base/platform/db.ts';
import type { Settings } from '../../../../base/platform/deps.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';
import { startSearchWorker } from '../worker.ts';

const databaseUrl = process.argv[2] as string;
const log = createLog('silent');
const db = createDb(databaseUrl, await createOrm(databaseUrl, entities), log);
startSearchWorker({ settings: { databaseSessionUrl: databaseUrl } as Settings, db, clock: Date.now, log });
