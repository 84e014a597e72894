import { inTime } from '../chain/in-time.ts';
import { verifyTypedSignature } from '../chain/signatures.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';

/** What a sender says by a signature. */
export interface ClaimFacts {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly transactionHash: string;
}

/** A sender's word for it. */
export interface Claim {
  readonly signer: Wallet;
  /** The signer's over `claimTypedData`, as hex. */
  readonly signature: string;
}

/** So that an answer is there within 2.5 s, whatever the node does. */
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
 * What a sender signs (EIP-712) to say that a transaction of its own pays a receipt, as `eth_signTypedData_v4` takes it. It names chain, merchant, receipt
 * and transaction, so that it is worth nothing for any other. The same facts give the same text again.
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
 * Proves that the signer claims the transaction for the receipt: a key of its own, or a smart account (ERC-1271, ERC-6492). Refuses with
 * `invalid_signature`, and with `chain_unavailable` where a smart account cannot be asked in time.
 */
export async function verifyClaim({ chain }: Pick<Deps, 'chain'>, facts: ClaimFacts, claim: Claim): Promise<void> {
  const typedData = claimTypedData(chain.chainId, facts);
  const { signer: wallet, signature } = claim;
  const isValid = await inTime(verifyTypedSignature(chain, { wallet, typedData, signature }), CHAIN_TIMEOUT_MS);
  if (!isValid) {
    throw refuse('invalid_signature', 'The signature is not the signer’s over this receipt and transaction', {
      field: 'signature',
    });
  }
}
