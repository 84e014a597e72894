import { redeliver, redeliverFailed } from '../webhooks/deliveries.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

interface ReplayOptions {
  readonly json?: boolean;
  /** Epoch ms. */
  readonly failedSince?: number;
}

/**
 * `quittance webhook replay`: enqueues a delivery again with the same id and bytes, for the running worker. With
 * `--failed-since`, every failed delivery of an event since then.
 */
export async function webhookReplay(deliveryId: string | undefined, options: ReplayOptions): Promise<void> {
  const { failedSince, json } = options;
  if ((deliveryId === undefined) === (failedSince === undefined))
    throw Object.assign(new Error('provide either a delivery or --failed-since'), { code: 'invalid_input' });
  if (failedSince !== undefined) {
    const queued = await withDeps((deps) => redeliverFailed(deps, failedSince));
    print({ queued }, json, [`${queued} deliveries are queued.`]);
    return;
  }
  const delivery = await withDeps((deps) => redeliver(deps, null, deliveryId as string));
  print(delivery, json, [`${deliveryId} is queued to ${delivery.url}.`]);
}
