import { Refusal, refuse } from '../../base/core/errors.ts';
import type { LogComponent, LogLevel } from '../../base/core/log-level.ts';
import { changeLogLevel } from '../../domain/operations/operators/log-level.ts';
import { type Pause, pausePayments, resumePayments } from '../../domain/payments/quotes/pauses.ts';
import { reevaluateReceipt } from '../../domain/payments/watching/reevaluate.ts';
import { createShares } from '../../domain/settlement/shares/create-shares.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

interface PlaceOptions {
  readonly chain?: number;
  readonly token?: string;
  readonly json?: boolean;
}

const placeOf = ({ chain, token }: PlaceOptions) => ({ chainId: chain ?? null, token: token ?? null });

/** `quittance pause` */
export async function pause(options: PlaceOptions & { reason: string }): Promise<void> {
  printPauses(await withDeps((deps) => pausePayments(deps, placeOf(options), options.reason)), options.json);
}

/** `quittance resume` */
export async function resume(options: PlaceOptions): Promise<void> {
  printPauses(await withDeps((deps) => resumePayments(deps, placeOf(options))), options.json);
}

function printPauses(pauses: readonly Pause[], json: boolean | undefined): void {
  const lines = pauses.map(({ chainId, token, reason }) => `${chainId}  ${token ?? 'every token'}  ${reason}`);
  print(pauses, json, lines.length > 0 ? lines : ['Nothing is paused.']);
}

/** `quittance receipts reevaluate` */
export async function receiptsReevaluate(options: { wallet: string; receipt: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  const found = await withDeps((deps) => reevaluateReceipt({ ...deps, createShares }, wallet, options.receipt));
  const { before, after, lookedUp, added, rematched } = found;
  print(found, options.json, [
    `${options.receipt}: ${before === after ? after : `${before}, now ${after}`}`,
    `${lookedUp} transactions looked up, ${added} transfers added, ${rematched} matched again.`,
  ]);
}

/** `quittance log-level` */
export async function logLevel(
  level: LogLevel,
  { component, json }: { component?: LogComponent; json?: boolean },
): Promise<void> {
  const processes = await withDeps(async (deps) => {
    if (deps.settings.redisUrl === null)
      throw refuse('invalid_input', 'Without REDIS_URL, use the mutation setLogLevel of the server itself');
    return changeLogLevel(deps, { level, component: component ?? null });
  });
  if (processes === 0) throw new Refusal('invalid_input', 'No running process has answered');
  print({ processes }, json, [
    `${processes} processes log ${component ?? 'everything'} at ${level} until they restart.`,
  ]);
}
