import {
  CallExecutionError,
  ExecutionRevertedError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hash,
  type Hex,
  hashTypedData,
  recoverAddress,
  type TypedDataDefinition,
  type TypedDataDomain,
} from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';

/** Far beyond what smart accounts produce (a passkey's ERC-6492 signature takes some 2 KiB), well below what a node takes in one call. */
const SIGNATURE_LENGTH_MAX = 16 * 1024;

const SIGNATURE = /^0x(?:[0-9a-f]{2})+$/i;

/** What a signature is over. The fields of viem's `TypedDataDefinition`, without its demand that whole numbers of JSON are bigints. */
export interface SignedData {
  readonly domain: TypedDataDomain;
  readonly types: object;
  readonly primaryType: string;
  readonly message: object;
}

/**
 * Whether the wallet signed the typed data (EIP-712): a key of its own, a deployed smart account (ERC-1271) or one yet to be deployed (ERC-6492).
 * The signature may be any text; what is none is false. Refuses with `chain_unavailable` where the answer needs the chain.
 *
 * Every signature of a key has a twin with the same signer, so its bytes must never serve as an identity against replay.
 */
export async function verifyTypedSignature(
  chain: Chain,
  { wallet, typedData, signature }: { wallet: Wallet; typedData: SignedData; signature: string },
): Promise<boolean> {
  if (signature.length > 2 + 2 * SIGNATURE_LENGTH_MAX || !SIGNATURE.test(signature)) return false;
  const hash = hashTypedData(typedData as TypedDataDefinition);
  const hex = signature as Hex;
  return (await isOwnKey(wallet, hash, hex)) || isAccepted(chain, wallet, hash, hex);
}

/** Most signatures are of a plain key, and need no chain. */
async function isOwnKey(wallet: Wallet, hash: Hash, signature: Hex): Promise<boolean> {
  try {
    return toWallet(await recoverAddress({ hash, signature })) === wallet;
  } catch {
    return false;
  }
}

/**
 * Asks the wallet's contract, through ERC-6492's universal validator in a call that leaves nothing behind. viem's own `verifyHash` says false as well
 * when the node is down; here only a validator that ran and failed is a no.
 */
async function isAccepted(chain: Chain, wallet: Wallet, hash: Hash, signature: Hex): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [toAddress(wallet), hash, signature],
  });
  try {
    const [verdict] = await Promise.all([chain.client.call({ data }), assertChainId(chain)]);
    return verdict.data === '0x01';
  } catch (error) {
    if (isFailedExecution(error)) return false;
    return reach(Promise.reject(error));
  }
}

/** The code ran and broke: a revert, or a halt, which nodes report each in their own words. */
function isFailedExecution(error: unknown): boolean {
  if (findError(error, ExecutionRevertedError)) return true;
  const call = findError(error, CallExecutionError);
  return call !== null && /out of ?gas|invalid ?(fe ?)?(opcode|jump)|stack ?(under|over)flow/i.test(call.details);
}
