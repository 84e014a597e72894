import {
  ContractFunctionExecutionError,
  encodeFunctionData,
  type Hash,
  type Hex,
  hashDomain,
  parseAbi,
  parseEventLogs,
  parseSignature,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TypedDataDomain,
  zeroAddress,
  zeroHash,
} from 'viem';
import { keptBy } from '../core/kept.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';
import type { TransactionCall } from './create2.ts';
import type { SignedData } from './signatures.ts';

/** The functions of EIP-3009 (https://eips.ethereum.org/EIPS/eip-3009), and those of USDC that take any signature. */
export const authorizationAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

/** What the owner of a token signs: a transfer that anyone may send. */
export interface Authorization {
  readonly from: Wallet;
  readonly to: Wallet;
  /** In base units. */
  readonly value: bigint;
  /** Unix seconds; the transfer is valid after this time. */
  readonly validAfter: bigint;
  /** Unix seconds; the transfer is valid before this time. */
  readonly validBefore: bigint;
  /** 32 bytes; the token accepts each nonce of an owner once. */
  readonly nonce: Hex;
}

/** The signing domain of a token (EIP-712). */
export interface AuthorizationDomain extends TypedDataDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Hex;
}

const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

/** The types of the signed data. */
const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The data that the owner signs (EIP-712). */
export const authorizationData = (
  domain: AuthorizationDomain,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
): SignedData => ({
  domain,
  types: AUTHORIZATION_TYPES,
  primaryType: 'TransferWithAuthorization',
  message: { from: toAddress(from), to: toAddress(to), value, validAfter, validBefore, nonce },
});

const domainsOf = keptBy(
  'signing domains of tokens',
  (_chain: Chain) => new Map<Wallet, Promise<AuthorizationDomain | null>>(),
);

/**
 * The signing domain of a token; null if the token has no EIP-3009. It is read from the contract once and compared with
 * the contract's separator, because the name in the domain is not always that of the list of tokens. Throws
 * `chain_unavailable`.
 */
export async function readAuthorizationDomain(chain: Chain, token: Wallet): Promise<AuthorizationDomain | null> {
  const known = domainsOf(chain);
  const reading = known.get(token) ?? readDomain(chain, token);
  known.set(token, reading);
  try {
    return await reading;
  } catch (error) {
    known.delete(token);
    throw error;
  }
}

async function readDomain(chain: Chain, token: Wallet): Promise<AuthorizationDomain | null> {
  const contract = { abi: authorizationAbi, address: toAddress(token) } as const;
  const { client } = chain;
  try {
    await assertChainId(chain);
    // First what only EIP-3009 has: another token may answer the other functions in another form.
    await reach(
      client.readContract({ ...contract, functionName: 'authorizationState', args: [zeroAddress, zeroHash] }),
    );
    const [name, version, separator] = await reach(
      Promise.all([
        client.readContract({ ...contract, functionName: 'name' }),
        client.readContract({ ...contract, functionName: 'version' }),
        client.readContract({ ...contract, functionName: 'DOMAIN_SEPARATOR' }),
      ]),
    );
    const domain = { name, version, chainId: chain.chainId, verifyingContract: toAddress(token) };
    const computed = hashDomain({
      domain: { ...domain, chainId: BigInt(chain.chainId) },
      types: { EIP712Domain: [...DOMAIN_TYPE] },
    });
    return computed === separator ? domain : null;
  } catch (error) {
    if (findError(error, ContractFunctionExecutionError)) return null;
    throw error;
  }
}

/** Whether the owner has used or cancelled a nonce, by a block, else the newest one. Throws `chain_unavailable`. */
export function isAuthorizationSpent(
  chain: Chain,
  token: Wallet,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
  blockNumber?: bigint,
): Promise<boolean> {
  return reach(
    chain.client.readContract({
      abi: authorizationAbi,
      address: toAddress(token),
      functionName: 'authorizationState',
      args: [toAddress(from), nonce],
      ...(blockNumber !== undefined && { blockNumber }),
    }),
  );
}

/**
 * The call that carries out an authorization. Every version of the token takes `v, r, s` of a key; only newer ones take
 * the bytes of a contract's signature.
 *
 * @param byKey whether the owner's own key made the signature
 */
export function authorizedTransfer(
  token: Wallet,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  { signature, byKey }: { readonly signature: Hex; readonly byKey: boolean },
): TransactionCall {
  const args = [toAddress(from), toAddress(to), value, validAfter, validBefore, nonce] as const;
  const functionName = 'transferWithAuthorization';
  if (!byKey) {
    const data = encodeFunctionData({ abi: authorizationAbi, functionName, args: [...args, signature] });
    return { to: token, data };
  }
  const { r, s, yParity } = parseSignature(signature);
  const parts = [27 + yParity, r, s] as const;
  return { to: token, data: encodeFunctionData({ abi: authorizationAbi, functionName, args: [...args, ...parts] }) };
}

/** A transfer in a block, as far as its authorization depends on it. */
interface MinedTransfer {
  readonly transactionHash: Hash;
  readonly blockHash: Hash;
  readonly logIndex: number;
  readonly from: Wallet;
  /** The token's contract. */
  readonly token: Wallet;
}

/**
 * The nonce of the authorization that a transfer carried out, for any sender of the transaction; null if it was none,
 * or if the transaction is not in this block any more. The token logs the use directly before the transfer. Throws
 * `chain_unavailable`.
 */
export async function readAuthorizationOf(chain: Chain, transfer: MinedTransfer): Promise<Hex | null> {
  const { transactionHash, blockHash, logIndex, from, token } = transfer;
  const receipt = await readReceipt(chain, transactionHash);
  if (receipt?.blockHash !== blockHash) return null;
  const uses = parseEventLogs({ abi: authorizationAbi, eventName: 'AuthorizationUsed', logs: receipt.logs });
  const use = uses.find(
    (log) => log.logIndex === logIndex - 1 && toWallet(log.address) === token && toWallet(log.args.authorizer) === from,
  );
  return use?.args.nonce ?? null;
}

async function readReceipt({ client }: Chain, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return await reach(client.getTransactionReceipt({ hash }));
  } catch (error) {
    if (findError(error, TransactionReceiptNotFoundError)) return null;
    throw error;
  }
}
