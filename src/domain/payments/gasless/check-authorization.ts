import type { Hex } from 'viem';
import { type Authorization, authorizationData, isAuthorizationSpent } from '../../../base/chain/authorizations.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { type BlockMark, readHead } from '../../../base/chain/blocks.ts';
import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { GaslessToken } from './terms.ts';

/** Why an authorization is not carried out. */
export type RefusedBecause =
  | 'wrong_recipient'
  | 'wrong_amount'
  | 'not_yet_valid'
  | 'expired'
  | 'invalid_signature'
  | 'insufficient_balance'
  | 'reverts';

const SENTENCES: Readonly<Record<RefusedBecause, string>> = {
  wrong_recipient: 'The authorization does not pay an address of the receipt',
  wrong_amount: 'The authorization does not have the amount of the receipt’s quote',
  not_yet_valid: 'The authorization is not valid yet',
  expired: 'The authorization has expired, or expires within seconds',
  invalid_signature: 'The signature is not that of the payer for this token and chain',
  insufficient_balance: 'The payer does not have the amount',
  reverts: 'The token does not accept the authorization',
};

/** Refuses an authorization, with its reason for programs. */
export const refuseAuthorization = (reason: RefusedBecause): Refusal =>
  refuse('authorization_refused', SENTENCES[reason], { reason });

/**
 * The time that authorizations are drafted and checked by, in Unix seconds: of the server's clock or of the chain's
 * head, whichever is later.
 */
export const latestS = (clock: Deps['clock'], { timeMs }: Pick<BlockMark, 'timeMs'>): bigint =>
  BigInt(Math.floor(Math.max(clock(), timeMs) / 1_000));

/** A transaction needs this time to reach a block. */
const MARGIN_S = 12n;

/**
 * Refuses an authorization that the token would not carry out: outside its time, signed by another wallet or for
 * another domain, used or cancelled, or without the money. The signature may be of a key or of a deployed smart account
 * (ERC-1271). Refuses with `authorization_refused`, `authorization_used` and `chain_unavailable`.
 */
export async function checkAuthorization(
  { chain, clock }: Pick<Deps, 'chain' | 'clock'>,
  { address, domain }: GaslessToken,
  authorization: Authorization,
  signature: Hex,
): Promise<void> {
  const { from, value, validAfter, validBefore } = authorization;
  const head = await readHead(chain);
  const nowS = latestS(clock, head);
  if (validAfter >= nowS) throw refuseAuthorization('not_yet_valid');
  if (validBefore <= nowS + MARGIN_S) throw refuseAuthorization('expired');
  const typedData = authorizationData(domain, authorization);
  if (!(await verifyTypedSignature(chain, { wallet: from, typedData, signature })))
    throw refuseAuthorization('invalid_signature');
  const [isSpent, balance] = await Promise.all([
    isAuthorizationSpent(chain, address, authorization),
    readBalance(chain, from, address, head.number),
  ]);
  if (isSpent) throw refuse('authorization_used');
  if (balance < value) throw refuseAuthorization('insufficient_balance');
}
