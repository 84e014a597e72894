import { renewEpoch } from '../platform/stream-epoch.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';

/** `quittance epoch renew` */
export async function epochRenew(options: { json?: boolean }): Promise<void> {
  const epoch = await onGround(renewEpoch);
  print({ ok: true, epoch }, options.json, [`A new epoch of stream cursors begins: ${epoch}`]);
}
