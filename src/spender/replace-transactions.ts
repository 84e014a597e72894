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

/** In no block after so many: more is offered for it. */
const STUCK_BLOCKS = 10;
/** Nodes take a replacement that offers a tenth more; an eighth is beyond doubt. */
const RAISE = { over: 9n, under: 8n };
/** More signed forms of one transaction than this would not help it. */
const FORMS_MAX = 12;
const VOID_GAS = 21_000n;

type Seen = { readonly head: BlockMark; readonly mined: number };

/** Looks after transactions that are in no block, in the order of their nonces. */
export async function sendAgain(
  deps: SpenderDeps,
  key: SpenderKey,
  open: readonly Unfinished[],
  { head, mined }: Seen,
): Promise<void> {
  const waiting = open.filter(({ nonce }) => nonce >= mined);
  if (open.length === 0) return;
  // Used up, as it seems, by something else: from now on the blocks are counted until that is believed.
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
    else if (stuck || one.sentBlock === null) await give(deps, key, one.nonce, newest, head, fees!, one);
  }
}

/** Gives a stored transaction to the node, and notes that it has it. One that can never be taken gives its nonce to something that can. */
async function give(
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
  if (reception === 'poor') tellPoor(deps, key, nonce);
  else if (one.sentBlock === null) await markSent(deps, key.sender, [nonce], head);
}

const ALARM_MS = 3_600_000;
const alarmedAt = new WeakMap<SpenderKey, number>();

/** Each look finds the same transactions unpaid: the alarm is raised once an hour. */
function tellPoor({ log }: SpenderDeps, key: SpenderKey, nonce: number): void {
  const now = performance.now();
  if (now - (alarmedAt.get(key) ?? Number.NEGATIVE_INFINITY) < ALARM_MS) return;
  alarmedAt.set(key, now);
  const { sender } = key;
  log.error({ alert: 'spender_out_of_funds', sender, nonce }, 'the spender cannot pay for its transactions');
}

/** Signs another form of the same nonce that offers more, stores it, and only then sends it. */
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
  deps.log.info({ nonce: one.nonce, kind, hash: signed.hash, replaces: newest.hash }, 'a transaction is replaced');
  await broadcast(deps.chain, signed.raw);
  await markSent(deps, key.sender, [one.nonce], head);
}

/** False where another process was first, or a block by now has told. */
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
  // Whichever form is mined, its transfer pays the same receipt.
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
