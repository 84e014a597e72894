import { SERVER } from '../../core/origin.ts';
import { entities } from '../../entities.ts';
import { createLocalBus } from '../../platform/bus.ts';
import type { Deps, Settings } from '../../platform/deps.ts';
import { createJobs } from '../../platform/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { createOrm } from '../../platform/orm.ts';
import { createSql } from '../../platform/sql.ts';
import type { WorkerDeps } from '../worker.ts';

export const SECRET = 'x'.repeat(64);

/** The parts of `Deps` that deliveries need, on a migrated database. */
export async function openDeps(databaseUrl: string, settings: Partial<Settings> = {}) {
  const log = createLog('silent');
  const orm = await createOrm(databaseUrl, entities);
  const sql = createSql(databaseUrl, orm, log);
  const boss = await createJobs(databaseUrl, log, { supervise: true });
  const deps: WorkerDeps & Pick<Deps, 'orm' | 'bus' | 'origin'> = {
    sql,
    orm,
    boss,
    log,
    clock: Date.now,
    bus: createLocalBus(),
    origin: SERVER,
    settings: { webhookAllowInsecure: true, keyEncryptionKey: SECRET, ...settings } as Settings,
  };
  const close = async () => {
    await boss.stop({ graceful: false });
    await orm.close();
    await sql.close();
  };
  return { ...deps, close };
}
