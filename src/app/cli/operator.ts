import { malformed, refuse } from '../../base/core/errors.ts';
import type { LogComponent, LogLevel } from '../../base/core/log-level.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import { quarantinedIn } from '../../base/platform/journal.ts';
import { renewEpoch } from '../../base/platform/stream-epoch.ts';
import { recordOperation } from '../../base/records/audit/record.ts';
import { changeLogLevel } from '../../domain/operations/operators/log-level.ts';
import { rescanChain, rescanReceipt } from '../../domain/operations/operators/rescan.ts';
import { planRotation, type RotationPlan, reEncrypt } from '../../domain/operations/operators/rotation.ts';
import { type Pause, pausePayments, resumePayments } from '../../domain/payments/quotes/pauses.ts';
import { reevaluateReceipt } from '../../domain/payments/watching/reevaluate.ts';
import type { Rescan } from '../../domain/payments/watching/rescan.ts';
import { JOURNAL, type JournalledOrder, retryQuarantined } from '../../domain/sales/orders/journal-order.ts';
import { createShares } from '../../domain/settlement/shares/create-shares.ts';
import { walletOf, withDeps } from './open-deps.ts';
import { counted, print } from './print.ts';

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
      throw malformed('Without REDIS_URL, use the mutation setLogLevel of the server itself');
    return changeLogLevel(deps, { level, component: component ?? null });
  });
  if (processes === 0) throw malformed('No running process has answered');
  print({ processes }, json, [
    `${processes} processes log ${component ?? 'everything'} at ${level} until they restart.`,
  ]);
}

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly chain?: number;
  readonly receipt?: string;
  readonly wallet?: string;
  readonly json?: boolean;
}

/** `quittance rescan`: blocks of a chain, or the addresses of a receipt on all chains. */
export async function rescanBlocks(options: Options): Promise<void> {
  const { from, to, receipt } = options;
  if (receipt !== undefined) return rescanOne(options, receipt);
  if (from === undefined || to === undefined)
    throw malformed('Name the blocks with --from and --to, or a receipt with --receipt');
  const done = await withDeps((deps) => rescanChain(deps, options.chain ?? null, { fromBlock: from, toBlock: to }));
  print({ ok: true, ...done }, options.json, [sentenceOf(done)]);
}

async function rescanOne({ wallet, json }: Options, receipt: string): Promise<void> {
  const merchant = wallet === undefined ? null : walletOf(wallet);
  const chains = await withDeps((deps) => rescanReceipt(deps, merchant, receipt));
  print(
    { ok: true, chains },
    json,
    chains.map((one) => `Chain ${one.chainId}: ${sentenceOf(one)}`),
  );
}

const sentenceOf = ({ fromBlock, toBlock, found, added }: Rescan): string =>
  `Blocks ${fromBlock} to ${toBlock}: ${found} transfers, ${added} of them new`;

/** `quittance journal list`. Needs no database. */
export async function journalList({ json }: { json?: boolean }): Promise<void> {
  const entries = quarantinedIn(readConfig().dataDir, JOURNAL).map(({ id, at, reason, entry }) => {
    const { receipt } = (entry ?? {}) as Partial<JournalledOrder>;
    return { id, at, reason, receiptId: receipt?.id ?? null, merchant: receipt?.merchant ?? null };
  });
  const lines = entries.map(
    ({ id, at, reason, receiptId, merchant }) =>
      `${id}  ${new Date(at).toISOString()}  ${receiptId ?? 'no receipt'}  ${merchant ?? 'no merchant'}  ${reason}`,
  );
  print(entries, json, lines.length > 0 ? lines : ['Every acknowledged order is booked or waits for the database.']);
}

/** `quittance journal retry`. Exits with 1 if an order could not be inserted. */
export async function journalRetry({ json }: { json?: boolean }): Promise<void> {
  const { booked, setAside } = await withDeps(retryQuarantined);
  print({ ok: setAside.length === 0, booked, setAside }, json, [
    `${counted(booked, 'order is', 'orders are')} in the database.`,
    ...setAside.map((reason) => `One stays in the quarantine: ${reason}`),
  ]);
  if (setAside.length > 0) process.exitCode = 1;
}

/** `quittance journal discard` */
export async function journalDiscard(id: string, { reason, json }: { reason: string; json?: boolean }): Promise<void> {
  const discarded = await withDeps(async (deps) => {
    const found = deps.journal.quarantined().find((one) => one.id === id);
    if (!found) throw refuse('not_found', 'The quarantine has no entry with this id');
    const receiptId = (found.entry as Partial<JournalledOrder> | null)?.receipt?.id ?? id;
    await recordOperation(deps, 'order.discarded', ['receipt', receiptId], { reason, cause: found.reason });
    return deps.journal.discard(id);
  });
  print({ ok: true, discarded }, json, [`${id} is discarded. Its line is kept in discarded.jsonl.`]);
}

/** `quittance epoch renew` */
export async function epochRenew(options: { json?: boolean }): Promise<void> {
  const epoch = await withDeps(async (deps) => {
    await recordOperation(deps, 'streams.renewed', ['server', 'streams'], {});
    return renewEpoch(deps.db);
  });
  print({ ok: true, epoch }, options.json, [`A new epoch of stream cursors begins: ${epoch}`]);
}

/** `quittance secrets re-encrypt` */
export async function secretsReEncrypt(options: { json?: boolean }): Promise<void> {
  const uses = await withDeps(async (deps) => {
    if (deps.settings.previousKeyEncryptionKey === null)
      throw malformed('Set KEY_ENCRYPTION_KEY_PREVIOUS to the key that KEY_ENCRYPTION_KEY replaces');
    await recordOperation(deps, 'secrets.re_encrypted', ['server', 'secrets'], {});
    return reEncrypt(deps.db, deps.settings);
  });
  print({ ok: true, uses }, options.json, [
    ...uses.map(({ what, current, previous, lost }) =>
      [
        `${what}: ${previous} encrypted again`,
        `${current} had the new key`,
        ...(lost ? [`${lost} open with neither`] : []),
      ].join(', '),
    ),
    'Remove KEY_ENCRYPTION_KEY_PREVIOUS when `quittance doctor` finds nothing that uses it.',
  ]);
}

/** `quittance wallet rotate --plan`: what a change of the signing keys would leave behind. Changes nothing. */
export async function walletRotate({ json }: { json?: boolean }): Promise<void> {
  const plan = await withDeps(planRotation);
  print(plan, json, linesOf(plan));
}

const transactions = (count: number) => counted(count, 'transaction waits', 'transactions wait');

function linesOf({ wallets, spender, permissions, lost, waiting }: RotationPlan): string[] {
  const waitingOf = (address: string, chainId: number) =>
    waiting
      .filter((one) => one.sender === address && one.chainId === chainId)
      .reduce((sum, one) => sum + one.waiting, 0);
  const own = new Set(wallets.map(({ address }) => address));
  return [
    ...wallets.map(
      ({ chainId, role, address, balance }) =>
        `${role} ${address} on chain ${chainId}: ${balance ?? 'an unknown number of'} native coins, ${transactions(waitingOf(address, chainId))}`,
    ),
    ...permissions.map(
      (one) =>
        `${counted(one.permissions, 'permission names', 'permissions name')} ${one.spender}${one.spender === spender ? ', the contract of SPENDER_PRIVATE_KEY' : ''}`,
    ),
    ...waiting
      .filter(({ sender }) => !own.has(sender))
      .map(
        (one) =>
          `${counted(one.waiting, 'transaction', 'transactions')} of ${one.sender} on chain ${one.chainId} ${one.waiting === 1 ? 'waits, and needs' : 'wait, and need'} its key`,
      ),
    lost > 0
      ? `${counted(lost, 'permission', 'permissions')} cannot be charged with the configured keys: add the key that SPENDER_PRIVATE_KEY has replaced to SPENDER_PREVIOUS_KEYS.`
      : 'Every permission can be charged with the configured keys.',
  ];
}
