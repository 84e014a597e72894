/** A worker process for tests that kill it: `node worker-process.ts DATABASE_URL`. */
import { entities } from '../../entities.ts';
import type { Settings } from '../../platform/deps.ts';
import { createLog } from '../../platform/log.ts';
import { createOrm } from '../../platform/orm.ts';
import { createSql } from '../../platform/sql.ts';
import { startSearchWorker } from '../worker.ts';

const databaseUrl = process.argv[2] as string;
const log = createLog('silent');
const sql = createSql(databaseUrl, await createOrm(databaseUrl, entities), log);
startSearchWorker({ settings: { databaseSessionUrl: databaseUrl } as Settings, sql, clock: Date.now, log });
