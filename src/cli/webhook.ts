import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sameSecret } from '../platform/secrets.ts';
import { redeliver } from '../webhooks/deliveries.ts';
import { startListener } from '../webhooks/listen.ts';
import { secretOf, signBody } from '../webhooks/sign.ts';
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
      if (!payload) return;
      // A test event tells of no receipt.
      const move = payload.status === undefined ? '' : `${payload.previousStatus} -> ${payload.status}  `;
      process.stdout.write(`  ${move}${JSON.stringify(payload)}\n`);
    },
  });
  process.stdout.write(`Listening at ${listener.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void listener.stop());
}

/**
 * `quittance webhook verify`: whether a signature (the value of `X-Service-Signature`) is right for a body, read from a file or from stdin to the last byte.
 * Ends with 1 where it is not.
 */
export async function webhookVerify(
  file: string | undefined,
  { secret, signature, json }: { secret: string; signature: string; json?: boolean },
): Promise<void> {
  const body = file === undefined || file === '-' ? await buffer(process.stdin) : await readFile(file);
  const right = signBody(secretOf(secret), body);
  const given = signature.trim();
  const valid = sameSecret(given.startsWith('sha256=') ? given : `sha256=${given}`, right);
  print({ valid, bytes: body.length }, json, [
    valid
      ? `valid: the signature fits these ${body.length} bytes and this key`
      : `INVALID: the signature does not fit these ${body.length} bytes and this key. Is the body raw, to the last byte, and the key the one that made the receipt?`,
  ]);
  if (!valid) process.exitCode = 1;
}
