import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { sameSecret } from '../../base/platform/secrets.ts';
import { secretOf, signBody } from '../../domain/webhooks/delivery/sign.ts';
import { startListener } from './dev-receiver.ts';
import { watchNpm } from './npm-parent.ts';
import { print } from './print.ts';

/**
 * `quittance webhook listen`: prints each event and whether its signature is valid, until Ctrl-C or until the npm that
 * runs it ends.
 *
 * @param options.secret the API key; `-` reads it from stdin
 */
export async function webhookListen({ port, secret }: { port: number; secret: string }): Promise<void> {
  const listener = await startListener({
    port,
    secret: secret === '-' ? (await text(process.stdin)).trim() : secret,
    onEvent({ verified, problem, deliveryId, duplicate, event, payload }) {
      const verdict = verified ? `verified${duplicate ? ', sent again' : ''}` : `REFUSED: ${problem}`;
      process.stdout.write(`${event ?? 'event'}  ${deliveryId ?? '-'}  ${verdict}\n`);
      if (!payload) return;
      // A test event has no receipt.
      const move = payload.status === undefined ? '' : `${payload.previousStatus} -> ${payload.status}  `;
      process.stdout.write(`  ${move}${JSON.stringify(payload)}\n`);
    },
  });
  const stop = () => {
    endWatch();
    void listener.stop();
  };
  const endWatch = watchNpm(stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // Last: a program that reads this line may end the listener at once.
  process.stdout.write(`Listening at ${listener.url}\n`);
}

/**
 * `quittance webhook verify`: verifies a signature (the value of `X-Service-Signature`) of a body, read completely from
 * a file or stdin. Exits with 1 if it is invalid.
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
