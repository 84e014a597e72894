import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { isRunning, markProcess, type ProcessMark } from '../../base/platform/embedded/process.ts';
import { sameSecret } from '../../base/platform/secrets.ts';
import { secretOf, signBody } from '../../domain/webhooks/delivery/sign.ts';
import { startListener } from './dev-receiver.ts';
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
  // The other commands of webhooks need no database.
  const [{ redeliver }, { REPLAY_PATTERNS }, { replayAll }, { walletOf, withDeps }] = await Promise.all([
    import('../../domain/webhooks/delivery/deliveries.ts'),
    import('../../domain/webhooks/events/kinds.ts'),
    import('../../domain/webhooks/delivery/replay.ts'),
    import('./open-deps.ts'),
  ]);
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

const pollMs = 500;
/** The depth of the process tree: this process, a shell and npm. */
const maxDepth = 4;

/**
 * Calls `onGone` once the npm process that runs this command has ended: npm does not stop the command when it is killed
 * itself. Does nothing without npm. Returns a function that stops watching.
 */
function watchNpm(onGone: () => void): () => void {
  const npm = process.env.npm_command === undefined ? undefined : findNpm();
  if (!npm) return () => {};
  const timer = setInterval(() => {
    if (!isRunning(npm)) onGone();
  }, pollMs);
  return () => clearInterval(timer);
}

function findNpm(): ProcessMark | undefined {
  let pid = process.ppid;
  for (let depth = 0; depth < maxDepth && pid > 1; depth++) {
    const { name, parent } = describe(pid);
    if (/^np[mx]\b/.test(name)) return markProcess(pid);
    pid = parent;
  }
  return undefined;
}

/** A process's name (set by npm: "npm exec quittance …") and its parent's process id. */
function describe(pid: number): { name: string; parent: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent: Number(parent) };
  } catch {
    return { name: '', parent: 0 };
  }
}
