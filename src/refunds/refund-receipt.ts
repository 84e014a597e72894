import { actorOf, type Caller, sessionOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { usdFromCents } from '../core/money.ts';
import type { Wallet } from '../core/wallet.ts';
import type { ReadRate } from '../fx/usd-per-token.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { withIdempotencyKey } from '../platform/idempotency.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { type ReceiptRow, readReceipt } from '../receipts/read.ts';
import { lockReceiptOrRefuse, recordChange } from '../receipts/record-change.ts';
import { readAccount, requestable, requireRefundable, requireWithin } from './account.ts';
import { readEvidence, type Sent } from './evidence.ts';
import { keepRefund, proveRefund } from './prove.ts';
import { type RefundInput, refundInput } from './refund.input.ts';

type RefundDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock'> & { readonly readRate: ReadRate };

/**
 * Keeps a refund of a receipt, for its merchant's admin. Without `txHash` it is a request (`refund_requested`, in history and webhook). With one the chain
 * is asked whether the buyer really got as much; see `proveRefund`. Never more than was paid, whatever comes at the same time. No money is moved by us:
 * the merchant sends it with its own wallet.
 *
 * Refuses with `missing_receipt_id`, `invalid_wallet`, `invalid_buyer` (also for the merchant itself), `invalid_usd` (also for more than is left),
 * `invalid_input` (items, `txHash`, a receipt on which nothing was paid), `forbidden` (another's wallet), `not_found`, `exchange_rate_unavailable` and
 * `chain_unavailable`; nothing is changed then.
 *
 * @param body the request's own fields, as in `POST /api/receipts/refund`
 */
export async function refundReceipt(
  deps: RefundDeps,
  caller: Caller,
  body: unknown,
  idempotencyKey: string | null,
): Promise<ReceiptRow> {
  const input = parseInput(refundInput, body);
  const { merchant } = sessionOf(caller);
  if (merchant === null) throw refuse('forbidden');
  requireOwnWallet(merchant, input.wallet);
  await readReceipt(deps, merchant, input.receiptId);
  await requireBuyer(deps, merchant, input.buyer);

  // Asked before anything is locked. What comes of it is looked at later: a request that comes again has its answer, whatever the chain says now.
  const evidence = input.txHash === null ? null : await settled(readEvidence(deps, { ...input, txHash: input.txHash }));
  const work = (uow: UnitOfWork) => keep(deps, uow, { merchant, input, actor: actorOf(caller), evidence });
  if (idempotencyKey === null) await inTransaction(deps, work);
  else await withIdempotencyKey(deps, { merchant, operation: 'refundReceipt', key: idempotencyKey, body }, work);
  return readReceipt(deps, merchant, input.receiptId);
}

const OWN_SPLIT = statement('refunds-own-split', 'select 1 from splits where merchant = $1 and address = $2 limit 1');

/** Money that stays with the merchant is no refund. */
async function requireBuyer(deps: Pick<Deps, 'sql'>, merchant: Wallet, buyer: Wallet): Promise<void> {
  const own = buyer === merchant || (await deps.sql.rows(OWN_SPLIT, [merchant, buyer])).length > 0;
  if (own) throw refuse('invalid_buyer', 'buyer must not be the merchant or its split', { field: 'buyer' });
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settled = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

interface Refunding {
  readonly merchant: Wallet;
  readonly input: RefundInput;
  readonly actor: string;
  /** Null for a request. */
  readonly evidence: Settled<Sent[]> | null;
}

async function keep(
  deps: RefundDeps,
  uow: UnitOfWork,
  { merchant, input, actor, evidence }: Refunding,
): Promise<{ ok: true }> {
  const receipt = await lockReceiptOrRefuse(uow, merchant, input.receiptId);
  const account = await readAccount(uow, receipt);
  requireRefundable(receipt, account);
  if (evidence !== null) {
    if ('error' in evidence) throw evidence.error;
    await proveRefund(deps, uow, receipt, account, { input, evidence: evidence.value, actor });
    return { ok: true };
  }
  const { usdCents, buyer, items } = input;
  requireWithin(usdCents, requestable(account), account);
  const now = deps.clock();
  const id = await keepRefund(uow, receipt, {
    usdCents,
    provenCents: 0,
    buyer,
    items,
    transactionHash: null,
    actor,
    now,
  });
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'tracking', name: 'refund_requested' },
    { actor, detail: { usd: usdFromCents(usdCents), buyer, refundIds: [id] } },
  );
  return { ok: true };
}
