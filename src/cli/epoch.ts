import { renewEpoch } from '../platform/stream-epoch.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance epoch renew` */
export async function epochRenew(options: { json?: boolean }): Promise<void> {
  const epoch = await withDeps(renewEpoch);
  print({ ok: true, epoch }, options.json, [`A new epoch of stream cursors begins: ${epoch}`]);
}
