import type { BlockMark } from '../chain/blocks.ts';
import {
  broadcast,
  callOf,
  type Fees,
  readFees,
  type SignedTransaction,
  signTransaction,
} from '../chain/raw-transactions.ts';
import type { Wallet } from '../core/wallet.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from './deps.ts';
import { markSent, openRaw, storeSigned } from './nonce-store.ts';
import type { SpenderKey } from './spender-key.ts';
import type { Broadcast, Unfinished } from './unfinished.ts';

/** A transaction that is in no block after this many blocks is replaced with a higher fee. */
const STUCK_BLOCKS = 10;
/** Nodes accept a replacement whose fee is 10 % higher; 12.5 % leaves a margin. */
const RAISE = { over: 9n, under: 8n };
/** Limit of signed forms of one transaction; further fee increases do not help. */
const FORMS_MAX = 12;
const VOID_GAS = 21_000n;

type Seen = { readonly head: BlockMark; readonly mined: number };

/** Resends or replaces transactions that are in no block, in nonce order. */
export async function sendAgain(
  deps: SpenderDeps,
  key: SpenderKey,
  open: readonly Unfinished[],
  { head, mined }: Seen,
): Promise<void> {
  const waiting = open.filter(({ nonce }) => nonce >= mined);
  if (open.length === 0) return;
  // Another transaction appears to have used these nonces. Record the head, so that confirmations of that can be
  // counted.
  await markSent(
    deps,
    key.sender,
    open.filter(({ nonce, sentBlock }) => nonce < mined && sentBlock === null).map(({ nonce }) => nonce),
    head,
  );
  const fees = waiting.length > 0 ? await readFees(deps.chain) : null;
  for (const one of waiting) {
    const newest = one.broadcasts.at(-1)!;
    const stale = one.staleAt !== null && head.timeMs >= one.staleAt * 1000;
    const stuck = one.sentBlock !== null && Number(head.number) - one.sentBlock >= STUCK_BLOCKS;
    if (stale && newest.kind === 'call') await replace(deps, key, one, { kind: 'void', fees: fees!, head });
    else if (stuck && one.broadcasts.length < FORMS_MAX)
      await replace(deps, key, one, { kind: newest.kind, fees: fees!, head });
    else if (stuck || one.sentBlock === null) await resend(deps, key, one.nonce, newest, head, fees!, one);
  }
}

/**
 * Sends a stored transaction and records that the node accepted it. A rejected call is replaced by a `void` transaction
 * with the same nonce.
 */
async function resend(
  deps: SpenderDeps,
  key: SpenderKey,
  nonce: number,
  { hash, sealedRaw, kind }: Pick<Broadcast, 'hash' | 'sealedRaw' | 'kind'>,
  head: BlockMark,
  fees: Fees,
  one: Unfinished,
): Promise<void> {
  const reception = await broadcast(deps.chain, openRaw(deps, hash, sealedRaw));
  if (reception === 'rejected' && kind === 'call') return replace(deps, key, one, { kind: 'void', fees, head });
  if (reception === 'poor') alertOutOfFunds(deps, key, nonce);
  else if (one.sentBlock === null) await markSent(deps, key.sender, [nonce], head);
}

const ALERT_INTERVAL_MS = 3_600_000;
const alertedAt = new WeakMap<SpenderKey, number>();

/** Raises the alert at most once an hour per key, because every pass finds the same transactions. */
function alertOutOfFunds({ log }: SpenderDeps, key: SpenderKey, nonce: number): void {
  const now = performance.now();
  if (now - (alertedAt.get(key) ?? Number.NEGATIVE_INFINITY) < ALERT_INTERVAL_MS) return;
  alertedAt.set(key, now);
  const { sender } = key;
  log.error({ alert: 'spender_out_of_funds', sender, nonce }, 'spender cannot pay for its transactions');
}

/** Signs another transaction with the same nonce and a higher fee, stores it, and then sends it. */
async function replace(
  deps: SpenderDeps,
  key: SpenderKey,
  one: Unfinished,
  { kind, fees, head }: { readonly kind: 'call' | 'void'; readonly fees: Fees; readonly head: BlockMark },
): Promise<void> {
  const newest = one.broadcasts.at(-1)!;
  const raised: Fees = {
    maxFeePerGas: larger(fees.maxFeePerGas, raise(newest.maxFeePerGas)),
    maxPriorityFeePerGas: larger(fees.maxPriorityFeePerGas, raise(newest.maxPriorityFeePerGas)),
  };
  const first = one.broadcasts.find((form) => form.kind === 'call')!;
  const { call, gas } =
    kind === 'call'
      ? callOf(openRaw(deps, first.hash, first.sealedRaw))
      : { call: { to: key.sender, data: '0x' as const }, gas: VOID_GAS };
  const signed = await signTransaction(deps.chain, key.account, { call, gas, nonce: one.nonce, fees: raised });
  const stored = await inTransaction(deps, (uow) => store(deps, uow, key.sender, one, signed, kind));
  if (!stored) return;
  deps.log.info({ nonce: one.nonce, kind, hash: signed.hash, replaces: newest.hash }, 'spender transaction replaced');
  await broadcast(deps.chain, signed.raw);
  await markSent(deps, key.sender, [one.nonce], head);
}

/** Returns false if another process has replaced the transaction already, or if it is no longer open. */
async function store(
  deps: SpenderDeps,
  uow: UnitOfWork,
  sender: Wallet,
  { nonce, broadcasts }: Unfinished,
  signed: SignedTransaction,
  kind: 'call' | 'void',
): Promise<boolean> {
  const place = [deps.chain.chainId, sender, nonce];
  const [open] = await uow.sql(
    `select 1 from spender_transactions where chain_id = $1 and sender = $2 and nonce = $3 and state = 'open' for update`,
    place,
  );
  const [forms] = await uow.sql<{ count: number }>(
    'select count(*)::int as count from spender_broadcasts where chain_id = $1 and sender = $2 and nonce = $3',
    place,
  );
  if (!open || forms!.count !== broadcasts.length) return false;
  await storeSigned(deps, uow, sender, [signed], kind);
  // Any form may be mined, and its transfer must pay the same receipt.
  if (kind === 'call')
    await uow.sql(
      `insert into bound_transactions (chain_id, transaction_hash, merchant, receipt_id, token, amount, created_at)
       select b.chain_id, $4, b.merchant, b.receipt_id, b.token, b.amount, $5 from bound_transactions b
         join spender_broadcasts f on f.chain_id = b.chain_id and f.hash = b.transaction_hash
        where f.chain_id = $1 and f.sender = $2 and f.nonce = $3 limit 1
       on conflict do nothing`,
      [...place, signed.hash, deps.clock()],
    );
  return true;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const raise = (wei: string): bigint => (BigInt(wei) * RAISE.over) / RAISE.under + 1n;
