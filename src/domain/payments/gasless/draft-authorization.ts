import { type Hex, keccak256, stringToHex } from 'viem';
import { type Authorization, authorizationData } from '../../../base/chain/authorizations.ts';
import { readHead } from '../../../base/chain/blocks.ts';
import type { SignedData } from '../../../base/chain/signatures.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { latestS } from './check-authorization.ts';
import { readPossible } from './possible-authorizations.ts';
import { currentQuote, lockReceiptToPay, type ReceiptToPay, requireOpen } from './receipt-to-pay.ts';
import { type AuthorizationKey, countAttempts } from './store.ts';
import { offeredGaslessToken, type TermsDeps } from './terms.ts';

/** How long a drafted authorization is valid, in seconds. */
const VALID_S = 900n;

/** A transfer for the buyer to sign, and the typed data for its wallet. */
export interface AuthorizationDraft {
  readonly authorization: Authorization;
  readonly typedData: SignedData;
}

/**
 * The nonce of a receipt's authorizations by their number. It follows from the receipt, so that two pages of one
 * receipt cannot have one wallet sign twice and move money twice.
 */
const nonceOf = (chainId: number, { merchant, receiptId }: ReceiptToPay, attempt: number): Hex =>
  keccak256(stringToHex(`quittance:${chainId}:${merchant}:${receiptId}:${attempt}`));

/**
 * Drafts the transfer that pays the receipt's current quote. While a failed authorization of the payer may still be
 * carried out, the draft has its nonce, so that the token accepts only one of the two. Refuses with
 * `gasless_unavailable`, `payment_underway`, `receipt_ended`, `not_found`, `split_required`, `merchant_suspended`,
 * `chain_unavailable`, and with `invalid_input` if there is no current quote or nothing is owed.
 */
export async function draftAuthorization(
  deps: TermsDeps & Pick<Deps, 'db' | 'clock' | 'moneyOnItsWay'> & Partial<Pick<Deps, 'chains'>>,
  receipt: ReceiptToPay,
  payer: Wallet,
): Promise<AuthorizationDraft> {
  const { symbol: token, domain } = await offeredGaslessToken(deps, receipt.merchant, receipt.token);
  await requireOpen(deps, receipt.merchant);
  const possible = await readPossible(deps, receipt);
  const isOwn = (one: AuthorizationKey) =>
    one.chainId === deps.chain.chainId && one.token === token && one.payer === payer;
  const { amount, to, attempts } = await deps.db.transaction(async (uow) => {
    await lockReceiptToPay(deps, uow, receipt);
    const { amount, payTo: to } = await currentQuote(deps, uow, { ...receipt, token });
    return { amount, to, attempts: await countAttempts(uow, receipt) };
  });
  const [former, ...others] = possible;
  if (others.length > 0 || (former && !isOwn(former))) throw refuse('payment_underway');
  const authorization: Authorization = {
    from: payer,
    to,
    value: BigInt(amount),
    validAfter: 0n,
    validBefore: latestS(deps.clock, await readHead(deps.chain)) + VALID_S,
    nonce: former?.nonce ?? nonceOf(deps.chain.chainId, receipt, attempts),
  };
  return { authorization, typedData: authorizationData(domain, authorization) };
}
