import type { BlockMark } from '../../chain/blocks.ts';
import { broadcast, callOf, type Fees, signTransaction } from '../../chain/raw-transactions.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { belowCeiling, readOffer } from './fees.ts';
import { alertOutOfFunds } from './funds.ts';
import { markSent, openRaw, storeSigned } from './nonce-store.ts';
import type { OutcomeHandlers } from './record-outcomes.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';
import type { Unfinished } from './unfinished.ts';

/** A transaction that is in no block after this many blocks is replaced with a higher fee. */
const STUCK_BLOCKS = 10;
/** Nodes accept a replacement whose fee is 10 % higher; 12.5 % leaves a margin. */
const RAISE = { over: 9n, under: 8n };
/** Limit of signed forms of one transaction; further fee increases do not help. */
const FORMS_MAX = 12;
const VOID_GAS = 21_000n;

type Seen = { readonly head: BlockMark; readonly mined: number };

/** What a pass needs to send the transactions of one wallet again. */
interface Pass {
  readonly deps: LaneDeps;
  readonly wallet: SigningWallet;
  readonly handlers: OutcomeHandlers;
  readonly head: BlockMark;
  readonly fees: Fees;
}

/**
 * Resends or replaces transactions that are in no block, in nonce order. Sends nothing while the market is above the
 * fee ceiling.
 */
export async function sendAgain(
  deps: LaneDeps,
  wallet: SigningWallet,
  handlers: OutcomeHandlers,
  open: readonly Unfinished[],
  { head, mined }: Seen,
): Promise<void> {
  // Another transaction has used a nonce below `mined`, or the node lags behind: a later pass decides.
  const waiting = open.filter(({ nonce }) => nonce >= mined);
  const fees = waiting.length > 0 ? await readOffer(deps) : null;
  if (fees === null) return;
  const pass: Pass = { deps, wallet, handlers, head, fees };
  for (const one of waiting) {
    const newest = one.broadcasts.at(-1)!;
    const stale = one.staleAt !== null && head.timeMs >= one.staleAt * 1000;
    const stuck = one.sentBlock !== null && Number(head.number) - one.sentBlock >= STUCK_BLOCKS;
    if (stale && newest.kind === 'call') await replace(pass, one, 'void');
    else if (stuck && one.broadcasts.length < FORMS_MAX) await replace(pass, one, newest.kind);
    else if (stuck || one.sentBlock === null) await resend(pass, one);
  }
}

/**
 * Sends the newest form of a transaction and records that the node accepted it. A rejected call is replaced by a `void`
 * transaction with the same nonce.
 */
async function resend(pass: Pass, one: Unfinished): Promise<void> {
  const { deps, wallet, head } = pass;
  const { hash, sealedRaw, kind } = one.broadcasts.at(-1)!;
  const reception = await broadcast(deps.chain, openRaw(deps, hash, sealedRaw));
  if (reception === 'rejected' && kind === 'call') return replace(pass, one, 'void');
  if (reception === 'poor') alertOutOfFunds(deps, wallet);
  else if (one.sentBlock === null) await markSent(deps, wallet.sender, [one.nonce], head);
}

/**
 * Signs another transaction with the same nonce and a higher fee, stores it, and then sends it. Does nothing if the
 * higher fee is above the ceiling.
 */
async function replace({ deps, wallet, handlers, head, fees }: Pass, one: Unfinished, kind: 'call' | 'void') {
  const newest = one.broadcasts.at(-1)!;
  const least = { maxFeePerGas: raise(newest.maxFeePerGas), maxPriorityFeePerGas: raise(newest.maxPriorityFeePerGas) };
  const raised = belowCeiling(deps, least, {
    maxFeePerGas: larger(fees.maxFeePerGas, least.maxFeePerGas),
    maxPriorityFeePerGas: larger(fees.maxPriorityFeePerGas, least.maxPriorityFeePerGas),
  });
  if (raised === null) return;
  const first = one.broadcasts.find((form) => form.kind === 'call')!;
  const { call, gas } =
    kind === 'call'
      ? callOf(openRaw(deps, first.hash, first.sealedRaw))
      : { call: { to: wallet.sender, data: '0x' as const }, gas: VOID_GAS };
  const signed = await signTransaction(deps.chain, wallet.account, { call, gas, nonce: one.nonce, fees: raised });
  const stored = await deps.db.transaction(async (uow) => {
    if (!(await isUnchanged(deps, uow, wallet.sender, one))) return false;
    await storeSigned(deps, uow, wallet.sender, [signed], kind);
    if (kind === 'call') await handlers[one.purpose]?.replaced?.(uow, { hash: signed.hash, replaced: first.hash });
    return true;
  });
  if (!stored) return;
  const { role, sender } = wallet;
  deps.log.info({ role, nonce: one.nonce, kind, hash: signed.hash, replaces: newest.hash }, 'transaction replaced');
  await broadcast(deps.chain, signed.raw);
  await markSent(deps, sender, [one.nonce], head);
}

/**
 * Locks the transaction. Returns false if another process has replaced it already, or if it is no longer open.
 */
async function isUnchanged(
  { chain: { chainId } }: LaneDeps,
  uow: UnitOfWork,
  sender: Wallet,
  { nonce, broadcasts }: Unfinished,
): Promise<boolean> {
  const open = await uow.db
    .selectFrom('SpenderTransaction')
    .select('nonce')
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .where('nonce', '=', nonce)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
  const forms = await uow.db
    .selectFrom('SpenderBroadcast')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .where('nonce', '=', nonce)
    .executeTakeFirstOrThrow();
  return open !== undefined && forms.count === broadcasts.length;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const raise = (wei: string): bigint => (BigInt(wei) * RAISE.over) / RAISE.under + 1n;
