import { setTimeout } from 'node:timers/promises';
import Big from 'big.js';
import { type Hex, size } from 'viem';
import { type Authorization, authorizationData, authorizedTransfer } from '../../../base/chain/authorizations.ts';
import type { Chain } from '../../../base/chain/client.ts';
import type { TransactionCall } from '../../../base/chain/create2.ts';
import { isSignedByKey } from '../../../base/chain/signatures.ts';
import { nativeCoin } from '../../../base/chain/tokens.ts';
import { readDataFee } from '../../../base/chain/transfer-fee.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { estimateCall, readOffer } from '../../../base/onchain/spender/fees.ts';
import { sendTransactions } from '../../../base/onchain/spender/send-transactions.ts';
import type { LaneDeps } from '../../../base/onchain/spender/spender.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { addressesOf } from '../../sales/receipts/addresses.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { worthOf } from '../quotes/amounts.ts';
import type { AuthorizationRow } from './authorization.entity.ts';
import { checkAuthorization, refuseAuthorization } from './check-authorization.ts';
import { readPossible } from './possible-authorizations.ts';
import { lockReceiptToPay, type ReceiptToPay, requireOpen, requireQuoted } from './receipt-to-pay.ts';
import { type AuthorizationKey, bindAuthorization, findAuthorization, subjectOf } from './store.ts';
import { cannotSend, type GaslessToken, gaslessToken, requireWithinDay } from './terms.ts';

export type GaslessDeps = LaneDeps &
  Pick<Deps, 'bus' | 'moneyOnItsWay'> &
  Partial<Pick<Deps, 'chains'>> & { readonly readRate: ReadRate };

/** A signed transfer. */
export interface SignedAuthorization {
  readonly authorization: Authorization;
  /** Of the payer's key, or of its smart account (ERC-1271). */
  readonly signature: Hex;
}

/**
 * Carries out a transfer that the buyer has signed, in a transaction that this server pays for. The authorization is
 * bound to the receipt before the transaction is sent, in the database transaction that stores it; the transfer counts
 * for that receipt, also if someone else carries the authorization out first. The same authorization for the same
 * receipt again returns the stored one, unless it failed: then it is sent again. While a failed one may still be
 * carried out, another one is refused.
 *
 * Refuses with `authorization_refused` (and a `reason`), `authorization_used`, `payment_underway`,
 * `gasless_unavailable`, `receipt_ended`, `not_found`, `split_required`, `merchant_suspended`, `chain_unavailable`, and
 * with `invalid_input` if nothing is owed.
 */
export async function submitAuthorization(
  deps: GaslessDeps,
  receipt: ReceiptToPay,
  signed: SignedAuthorization,
): Promise<AuthorizationRow> {
  const token = await gaslessToken(deps, receipt.merchant, receipt.token);
  const toPay = { ...receipt, token: token.symbol };
  const { authorization } = signed;
  const key = {
    chainId: deps.chain.chainId,
    token: token.symbol,
    payer: authorization.from,
    nonce: authorization.nonce,
  };
  const known = await findOwn(deps.db, toPay, key);
  if (known && known.state !== 'failed') return known;
  await requireOpen(deps, receipt.merchant);
  const addresses = await addressesOf(deps.db, { merchant: receipt.merchant, id: receipt.receiptId });
  if (!addresses.some(({ address }) => address === authorization.to)) throw refuseAuthorization('wrong_recipient');
  try {
    await deps.db.transaction(async (uow) => {
      await lockReceiptToPay(deps, uow, toPay);
      await requireQuoted(deps, uow, toPay, authorization);
    });
    const others = (await readPossible(deps, toPay)).filter((one) => !isSame(one, key));
    if (others.length > 0) throw refuse('payment_underway');
    await requireWithinDay(deps, token, receipt.merchant);
    await checkAuthorization(deps, token, authorization, signed.signature);
    return await send(deps, toPay, { token, key, ...signed });
  } catch (error) {
    // A repetition of the same request may have been faster.
    const stored = error instanceof Refusal ? await findOwn(deps.db, toPay, key) : null;
    if (stored && stored.state !== 'failed') return stored;
    throw error;
  }
}

/** The stored authorization, if it is bound to this receipt. Refuses with `authorization_used` if to another. */
async function findOwn(
  db: Db,
  { merchant, receiptId }: ReceiptToPay,
  key: AuthorizationKey,
): Promise<AuthorizationRow | null> {
  const known = await findAuthorization(db, key);
  if (known === null || (known.merchant === merchant && known.receiptId === receiptId)) return known;
  throw refuse('authorization_used');
}

const isSame = (one: AuthorizationKey, other: AuthorizationKey): boolean =>
  one.chainId === other.chainId && one.token === other.token && one.payer === other.payer && one.nonce === other.nonce;

/** When an authorization ends, in Unix seconds. Payers who set no end sign the largest number of the token. */
const endOf = ({ validBefore }: Authorization): number => {
  const end = Number(validBefore);
  return Number.isSafeInteger(end) ? end : Number.MAX_SAFE_INTEGER;
};

interface Sending extends SignedAuthorization {
  readonly token: GaslessToken;
  readonly key: AuthorizationKey;
}

/**
 * A transfer to an address without the token costs this much more. A release may empty the split between the estimate
 * and the block; unused gas is not paid.
 */
const EMPTY_SLOT_GAS = 20_000n;

async function send(
  deps: GaslessDeps,
  receipt: ReceiptToPay,
  { token, key, authorization, signature }: Sending,
): Promise<AuthorizationRow> {
  const { merchant, receiptId } = receipt;
  const byKey = await isSignedByKey(authorization.from, authorizationData(token.domain, authorization), signature);
  const call = authorizedTransfer(token.address, authorization, { signature, byKey });
  const estimate = await estimateCall(deps.chain, token.wallet, call);
  if (estimate.kind !== 'ready') throw refuseAuthorization('reverts');
  const gas = estimate.gas + EMPTY_SLOT_GAS;
  await requireCheapGas(deps, call, gas);
  const staleAt = endOf(authorization);
  const want = { purpose: 'authorization', merchant, subjectId: subjectOf(key), call, gas } as const;
  let row: AuthorizationRow | null = null;
  const stored = await sendTransactions(deps, token.wallet, [{ ...want, staleAt }], async (uow, [sent]) => {
    await lockReceiptToPay(deps, uow, receipt);
    await requireQuoted(deps, uow, receipt, authorization);
    const now = deps.clock();
    row = {
      ...key,
      ...{ merchant, receiptId, payTo: authorization.to, amount: String(authorization.value) },
      ...{ validBefore: staleAt, state: 'sent', transactionHash: sent!.transaction.hash },
      ...{ createdAt: now, updatedAt: now },
    };
    if (!(await bindAuthorization(uow, row))) throw refuse('authorization_used');
  });
  if (typeof stored === 'string') throw cannotSend(stored === 'out_of_funds' ? 'funds' : 'gas_price');
  // Null: its transaction is already open.
  if (row === null) throw refuse('authorization_used');
  deps.bus.publish(HINT_CHANNEL, stored[0]!.transaction.hash);
  return row;
}

/** The bytes of a signed transaction beside its data. */
const ENVELOPE_BYTES = 120;

/**
 * Refuses with `gasless_unavailable` if a transaction could cost more than `GASLESS_MAX_GAS_USD`: its gas at the
 * highest fee that it offers, and what a rollup takes for its data. Refuses with `exchange_rate_unavailable` if the
 * native coin has no current price.
 */
async function requireCheapGas(
  deps: LaneDeps & Pick<Deps, 'settings'> & { readonly readRate: ReadRate },
  { data }: TransactionCall,
  gas: bigint,
): Promise<void> {
  const coin = nativeCoin(deps.chain);
  const [offer, dataFee, usdPerUnit] = await Promise.all([
    readOffer(deps),
    readDataFee(deps.chain, size(data) + ENVELOPE_BYTES),
    usdPerToken(deps.readRate, coin),
  ]);
  if (offer === null) throw cannotSend('gas_price');
  const usd = worthOf(gas * offer.maxFeePerGas + dataFee, { decimals: coin.decimals, usdPerUnit });
  if (usd.gt(new Big(deps.settings.gaslessMaxGasUsd))) throw cannotSend('gas_limit');
}

/**
 * Waits until an authorization is credited or has failed, at most `waitMs`. Returns it as it is then. The workers
 * follow its transaction; this only reads what they record.
 */
export async function awaitAuthorization(
  db: Db,
  chain: Chain,
  sent: AuthorizationRow,
  waitMs: number,
): Promise<AuthorizationRow> {
  const pollMs = Math.min(chain.client.pollingInterval, 1_000);
  let row = sent;
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs && (row.state === 'sent' || row.state === 'mined')) {
    await setTimeout(pollMs);
    row = (await findAuthorization(db, sent)) ?? row;
  }
  return row;
}
