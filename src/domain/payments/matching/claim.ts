import type { Chain } from '../../../base/chain/client.ts';
import { inTime } from '../../../base/chain/in-time.ts';
import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';

/** The facts that a sender signs. */
export interface ClaimFacts {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly transactionHash: string;
}

/** A sender's signed claim. */
export interface Claim {
  readonly signer: Wallet;
  /** The signer's signature of `claimTypedData`, as hex. */
  readonly signature: string;
}

/** Limits each chain query, so that the request completes within 2.5 s. */
const CHAIN_TIMEOUT_MS = 1_800;

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  PaymentClaim: [
    { name: 'statement', type: 'string' },
    { name: 'merchant', type: 'address' },
    { name: 'receiptId', type: 'string' },
    { name: 'transactionHash', type: 'bytes32' },
  ],
} as const;

/**
 * The typed data (EIP-712, for `eth_signTypedData_v4`) that a sender signs to claim that its own transaction pays a
 * receipt. It names chain, merchant, receipt and transaction, so that the signature is valid for these only. The same
 * facts yield the same data.
 */
export function claimTypedData(chainId: number, { merchant, receiptId, transactionHash }: ClaimFacts) {
  return {
    domain: { name: 'Quittance', version: '1', chainId },
    types,
    primaryType: 'PaymentClaim',
    message: {
      statement: 'My transaction pays this receipt. This signature costs nothing and moves nothing.',
      merchant,
      receiptId,
      transactionHash: transactionHash.toLowerCase(),
    },
  } as const;
}

/**
 * Verifies the signer's claim: the signature of a key or of a smart account (ERC-1271, ERC-6492). Refuses with
 * `invalid_signature`, and with `chain_unavailable` if a smart account cannot be queried in time.
 */
export async function verifyClaim(chain: Chain, facts: ClaimFacts, claim: Claim): Promise<void> {
  const typedData = claimTypedData(chain.chainId, facts);
  const { signer: wallet, signature } = claim;
  const isValid = await inTime(verifyTypedSignature(chain, { wallet, typedData, signature }), CHAIN_TIMEOUT_MS);
  if (!isValid) {
    throw refuse('invalid_signature', 'The signature does not match this signer, receipt and transaction', {
      field: 'signature',
    });
  }
}
