import {
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
import { askStranger } from './ask-stranger.ts';
import { assertChainId, type Chain } from './client.ts';

/**
 * In bytes. Far above what smart accounts produce (about 2 KiB for a passkey's ERC-6492 signature), and below what a
 * node accepts in one call.
 */
const SIGNATURE_LENGTH_MAX = 16 * 1024;

/** In gas. A passkey that is verified in a contract takes 400,000, and the deployment of a smart account a million. */
const SIGNATURE_GAS_MAX = 5_000_000n;

const SIGNATURE = /^0x(?:[0-9a-f]{2})+$/i;

/** The signed typed data: viem's `TypedDataDefinition`, but integers may be JSON numbers instead of bigints. */
export interface SignedData {
  readonly domain: TypedDataDomain;
  readonly types: object;
  readonly primaryType: string;
  readonly message: object;
}

/**
 * Whether the wallet signed the typed data (EIP-712): with its key, as a deployed smart account (ERC-1271), or as one
 * that is not deployed yet (ERC-6492). `signature` may be any text; false if it is not a signature. Throws
 * `chain_unavailable` if the answer needs the chain and the chain cannot be reached.
 *
 * ECDSA signatures are malleable: another signature of the same data recovers to the same signer. Never use the bytes
 * of a signature to detect a replay.
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

/** Whether the wallet's own key signed the typed data, as opposed to a contract at its address. */
export const isSignedByKey = (wallet: Wallet, typedData: SignedData, signature: Hex): Promise<boolean> =>
  isOwnKey(wallet, hashTypedData(typedData as TypedDataDefinition), signature);

/** Whether the wallet's own key signed. Most signatures are of this kind and need no chain. */
async function isOwnKey(wallet: Wallet, hash: Hash, signature: Hex): Promise<boolean> {
  try {
    return toWallet(await recoverAddress({ hash, signature })) === wallet;
  } catch {
    return false;
  }
}

/**
 * Asks the wallet's contract through ERC-6492's universal validator, in a call without effects. viem's `verifyHash`
 * also returns false when the node is down; here only a validator that ran and failed counts as false.
 */
async function isAccepted(chain: Chain, wallet: Wallet, hash: Hash, signature: Hex): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [toAddress(wallet), hash, signature],
  });
  const asked = askStranger(chain, { to: null, data, gas: SIGNATURE_GAS_MAX });
  const [verdict] = await Promise.all([asked, assertChainId(chain)]);
  return verdict.kind === 'returned' && verdict.data === '0x01';
}
