import { redeliver } from '../../domain/webhooks/delivery/deliveries.ts';
import { replayAll } from '../../domain/webhooks/delivery/replay.ts';
import { REPLAY_PATTERNS } from '../../domain/webhooks/events/kinds.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

interface ReplayOptions {
  readonly json?: boolean;
  /** Epoch ms. */
  readonly failedSince?: number;
  /** The same for deliveries of every state. */
  readonly since?: number;
  readonly kind?: string;
  readonly wallet?: string;
}

/**
 * `quittance webhook replay`: enqueues a delivery again with the same id and bytes, for the running worker. With
 * `--failed-since`, every failed delivery of an event since then; with `--since`, also those that were accepted.
 * `--kind` selects one kind of event, and `--wallet` one merchant.
 */
export async function webhookReplay(deliveryId: string | undefined, options: ReplayOptions): Promise<void> {
  const { failedSince, since: allSince, kind = null, wallet, json } = options;
  const since = failedSince ?? allSince;
  if ([deliveryId, failedSince, allSince].filter((one) => one !== undefined).length !== 1)
    throw invalid('provide one of a delivery, --failed-since and --since');
  if (kind !== null && (since === undefined || !REPLAY_PATTERNS.includes(kind)))
    throw invalid(`--kind is one of ${REPLAY_PATTERNS.join(', ')}, with --failed-since or --since`);
  if (wallet !== undefined && since === undefined) throw invalid('--wallet goes with --failed-since or --since');
  if (since !== undefined) {
    const merchant = wallet === undefined ? null : walletOf(wallet);
    const failedOnly = allSince === undefined;
    const queued = await withDeps((deps) => replayAll(deps, { since, kind, failedOnly }, merchant));
    print({ queued }, json, [`${queued} deliveries are queued.`]);
    return;
  }
  const delivery = await withDeps((deps) => redeliver(deps, null, deliveryId as string));
  print(delivery, json, [`${deliveryId} is queued to ${delivery.url}.`]);
}

const invalid = (sentence: string) => Object.assign(new Error(sentence), { code: 'invalid_input' });
