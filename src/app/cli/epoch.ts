import { renewEpoch } from '../../base/platform/stream-epoch.ts';
import { recordOperation } from '../../base/records/audit/record-operation.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance epoch renew` */
export async function epochRenew(options: { json?: boolean }): Promise<void> {
  const epoch = await withDeps(async (deps) => {
    await recordOperation(deps, 'streams.renewed', ['server', 'streams'], {});
    return renewEpoch(deps);
  });
  print({ ok: true, epoch }, options.json, [`A new epoch of stream cursors begins: ${epoch}`]);
}
