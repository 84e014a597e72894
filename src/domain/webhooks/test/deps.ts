import { entities } from '../../../app/entities.ts';
import { SERVER } from '../../../base/core/origin.ts';
import { createLocalBus } from '../../../base/platform/bus.ts';
import { createDb } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import type { WorkerDeps } from '../delivery/worker.ts';

export const SECRET = 'x'.repeat(64);

/** The parts of `Deps` that deliveries need, on a migrated database. */
export async function openDeps(databaseUrl: string, settings: Partial<Settings> = {}) {
  const log = createLog('silent');
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, log);
  const deps: WorkerDeps & Pick<Deps, 'db' | 'bus' | 'origin'> = {
    db,
    log,
    clock: Date.now,
    bus: createLocalBus(),
    origin: SERVER,
    settings: {
      databaseSessionUrl: databaseUrl,
      webhookAllowInsecure: true,
      keyEncryptionKey: SECRET,
      mail: null,
      ...settings,
    } as Settings,
  };
  const close = async () => {
    await orm.close();
    await db.close();
  };
  return { ...deps, close };
}
