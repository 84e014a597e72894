import { redeliver } from '../webhooks/deliveries.ts';
import { startListener } from '../webhooks/listen.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';

/** `quittance webhook replay`: the same id and bytes again, sent by the running worker. */
export async function webhookReplay(deliveryId: string, options: { json?: boolean }): Promise<void> {
  const delivery = await onGround((deps) => redeliver(deps, null, deliveryId));
  print(delivery, options.json, [`${deliveryId} is queued to ${delivery.url}.`]);
}

/** `quittance webhook listen`: prints each event with what its signature is worth, until Ctrl-C. */
export async function webhookListen(options: { port: number; secret: string }): Promise<void> {
  const listener = await startListener({
    ...options,
    onEvent({ verified, problem, deliveryId, duplicate, event, payload }) {
      const verdict = verified ? `verified${duplicate ? ', sent again' : ''}` : `REFUSED: ${problem}`;
      process.stdout.write(`${event ?? 'event'}  ${deliveryId ?? '-'}  ${verdict}\n`);
      if (payload)
        process.stdout.write(`  ${payload.previousStatus} -> ${payload.status}  ${JSON.stringify(payload)}\n`);
    },
  });
  process.stdout.write(`Listening at ${listener.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void listener.stop());
}
