import { redeliver } from '../webhooks/deliveries.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';

/** `quittance webhook replay`: the same id and bytes again, sent by the running worker. */
export async function webhookReplay(deliveryId: string, options: { json?: boolean }): Promise<void> {
  const delivery = await onGround((deps) => redeliver(deps, null, deliveryId));
  print(delivery, options.json, [`${deliveryId} is queued to ${delivery.url}.`]);
}
