import { encodeFunctionData, getAddress, type Hash, type Hex, hashTypedData, parseAbi, zeroHash } from 'viem';
import { isLocalChain } from '../core/local-chains.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { askStranger } from './ask-stranger.ts';
import { assertChainId, type Chain, reach } from './client.ts';
import managerArtifact from './contracts/spend-permission-manager.json' with { type: 'json' };
import { addressOf, type Deployment, type TransactionCall } from './create2.ts';
import { readWithin } from './log-range.ts';

/**
 * The permission that a customer signs: the spender may take up to the allowance in each period. Large numbers are
 * decimal text, as in JSON.
 */
export interface SpendPermission {
  readonly account: Wallet;
  readonly spender: Wallet;
  readonly token: Wallet;
  /** Base units of the token per period. An unused rest does not carry over. */
  readonly allowance: string;
  /** Seconds. */
  readonly period: number;
  /** Unix seconds, inclusive. */
  readonly start: number;
  /** Unix seconds, exclusive. */
  readonly end: number;
  readonly salt: string;
  readonly extraData: Hex;
}

/** The EIP-712 type. */
export const SPEND_PERMISSION_TYPES = {
  SpendPermission: [
    { name: 'account', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'allowance', type: 'uint160' },
    { name: 'period', type: 'uint48' },
    { name: 'start', type: 'uint48' },
    { name: 'end', type: 'uint48' },
    { name: 'salt', type: 'uint256' },
    { name: 'extraData', type: 'bytes' },
  ],
} as const;

/** The functions and events of Coinbase's SpendPermissionManager that are used. */
export const spendPermissionManagerAbi = parseAbi([
  'struct SpendPermission { address account; address spender; address token; uint160 allowance; uint48 period; uint48 start; uint48 end; uint256 salt; bytes extraData; }',
  'struct PeriodSpend { uint48 start; uint48 end; uint160 spend; }',
  'function approve(SpendPermission permission) returns (bool)',
  'function approveWithSignature(SpendPermission permission, bytes signature) returns (bool)',
  'function revoke(SpendPermission permission)',
  'function revokeAsSpender(SpendPermission permission)',
  'function spend(SpendPermission permission, uint160 value)',
  'function isApproved(SpendPermission permission) view returns (bool)',
  'function isRevoked(SpendPermission permission) view returns (bool)',
  'function isValid(SpendPermission permission) view returns (bool)',
  'function getCurrentPeriod(SpendPermission permission) view returns (PeriodSpend)',
  'function getHash(SpendPermission permission) view returns (bytes32)',
  'event SpendPermissionApproved(bytes32 indexed hash, SpendPermission spendPermission)',
  'event SpendPermissionRevoked(bytes32 indexed hash, SpendPermission spendPermission)',
]);

/** Coinbase's contract: https://github.com/coinbase/spend-permissions */
const COINBASE_MANAGER = '0xf85210b21cc50302f477ba56686d2019dc9b67ad' as Wallet;

/**
 * The chains with default tokens on which it is deployed: Ethereum, OP Mainnet, Polygon, Base, Arbitrum One, Base
 * Sepolia, Sepolia.
 */
const COINBASE_CHAINS: ReadonlySet<number> = new Set([1, 10, 137, 8453, 42161, 84532, 11155111]);

/** The local chain's substitute for Coinbase's manager. */
export const localManager: Deployment = {
  initCode: managerArtifact.bytecode as Hex,
  salt: zeroHash,
  address: addressOf(managerArtifact.bytecode as Hex, zeroHash),
};

/** The spend permission manager of a chain; null if none is known. */
export function defaultSpendPermissionManager(chainId: number): Wallet | null {
  if (isLocalChain(chainId)) return localManager.address;
  return COINBASE_CHAINS.has(chainId) ? COINBASE_MANAGER : null;
}

/** The EIP-712 domain of this manager's permissions. */
export const spendPermissionDomain = (chainId: number, manager: Wallet) =>
  ({
    name: 'Spend Permission Manager',
    version: '1',
    chainId,
    verifyingContract: getAddress(toAddress(manager)),
  }) as const;

/** Converts a permission to the form that viem and the contracts use. */
export function toMessage(permission: SpendPermission) {
  const { account, spender, token, allowance, salt } = permission;
  return {
    account: toAddress(account),
    spender: toAddress(spender),
    token: toAddress(token),
    allowance: BigInt(allowance),
    period: permission.period,
    start: permission.start,
    end: permission.end,
    salt: BigInt(salt),
    extraData: permission.extraData,
  };
}

/** The typed data that the account signs. */
export const spendPermissionTypedData = (chainId: number, manager: Wallet, permission: SpendPermission) =>
  ({
    domain: spendPermissionDomain(chainId, manager),
    types: SPEND_PERMISSION_TYPES,
    primaryType: 'SpendPermission',
    message: toMessage(permission),
  }) as const;

/**
 * The hash of the permission (the manager's `getHash`), which is also the signed hash. It is unique per permission,
 * manager and chain.
 */
export const hashSpendPermission = (chainId: number, manager: Wallet, permission: SpendPermission): Hash =>
  hashTypedData(spendPermissionTypedData(chainId, manager, permission));

/** A period of a permission, in Unix seconds. */
export interface PermissionPeriod {
  /** Inclusive. */
  readonly start: number;
  /** Exclusive; at most the permission's end. */
  readonly end: number;
}

/**
 * The period that contains `atS` (Unix seconds), as the manager computes it; null before the permission's start and
 * from its end.
 */
export function periodAt(
  { start, end, period }: Pick<SpendPermission, 'start' | 'end' | 'period'>,
  atS: number,
): PermissionPeriod | null {
  if (atS < start || atS >= end) return null;
  const periodStart = atS - ((atS - start) % period);
  return { start: periodStart, end: Math.min(end, periodStart + period) };
}

/**
 * Whether the account or the spender has revoked the permission, as of the latest block. Throws `chain_unavailable`.
 */
export async function isRevoked(chain: Chain, manager: Wallet, permission: SpendPermission): Promise<boolean> {
  return reach(
    chain.client.readContract({
      abi: spendPermissionManagerAbi,
      address: toAddress(manager),
      functionName: 'isRevoked',
      args: [toMessage(permission)],
    }),
  );
}

/**
 * Whether the permission is approved and not revoked at the manager, as of the latest block. Throws
 * `chain_unavailable`.
 */
export async function isApprovedOnChain(chain: Chain, manager: Wallet, permission: SpendPermission): Promise<boolean> {
  const [approved] = await reach(
    Promise.all([
      chain.client.readContract({
        abi: spendPermissionManagerAbi,
        address: toAddress(manager),
        functionName: 'isValid',
        args: [toMessage(permission)],
      }),
      assertChainId(chain),
    ]),
  );
  return approved;
}

/** The approval in place of a signature, which the account must send. */
export function approveAsAccountTransaction(manager: Wallet, permission: SpendPermission): TransactionCall {
  return {
    to: manager,
    data: encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'approve',
      args: [toMessage(permission)],
    }),
  };
}

/** The revocation by the account, which the account must send. */
export function revokeAsAccountTransaction(manager: Wallet, permission: SpendPermission): TransactionCall {
  return {
    to: manager,
    data: encodeFunctionData({
      abi: spendPermissionManagerAbi,
      functionName: 'revoke',
      args: [toMessage(permission)],
    }),
  };
}

const revokedEvent = spendPermissionManagerAbi.find(
  (entry) => entry.type === 'event' && entry.name === 'SpendPermissionRevoked',
) as Extract<(typeof spendPermissionManagerAbi)[number], { name: 'SpendPermissionRevoked' }>;

/**
 * The hashes of all permissions that were revoked within the blocks, both ends included, also those for other spenders.
 * `'too_large'`: the node could not read so many blocks; `chain.logRange` is smaller now. Throws `chain_unavailable`.
 */
export async function readRevoked(
  chain: Chain,
  manager: Wallet,
  { fromBlock, toBlock }: { readonly fromBlock: number; readonly toBlock: number },
): Promise<Hash[] | 'too_large'> {
  const filter = { address: toAddress(manager), event: revokedEvent, strict: true } as const;
  const range = { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) };
  const read = () => chain.client.getLogs({ ...filter, ...range });
  const logs = await reach(readWithin(chain.logRange, toBlock - fromBlock + 1, read));
  return logs === 'too_large' ? logs : logs.map(({ args }) => args.hash);
}

/** Code prefix of a plain wallet with an EIP-7702 delegation; its own key still signs for it. */
const DELEGATION = '0xef0100';

/**
 * Whether the account is a contract with the manager among its owners, which a charge requires; `no_contract` if there
 * is no code of its own: a plain wallet.
 */
export async function readOwnership(
  chain: Chain,
  manager: Wallet,
  account: Wallet,
): Promise<'owner' | 'not_owner' | 'no_contract'> {
  const address = toAddress(account);
  const code = await reach(chain.client.getCode({ address }));
  if (code === undefined || code.startsWith(DELEGATION)) return 'no_contract';
  const data = encodeFunctionData({ abi: ownerAbi, functionName: 'isOwnerAddress', args: [toAddress(manager)] });
  const asked = await askStranger(chain, { to: account, data, gas: OWNERSHIP_GAS_MAX });
  return asked.kind === 'returned' && isTrue(asked.data) ? 'owner' : 'not_owner';
}

const ownerAbi = parseAbi(['function isOwnerAddress(address owner) view returns (bool)']);
/** Far above what a look-up in a list of owners takes. */
const OWNERSHIP_GAS_MAX = 500_000n;

/** Whether an answer is the word for `true`, whatever follows it. */
const isTrue = (answer: Hex): boolean => answer.length >= 66 && BigInt(answer.slice(0, 66)) === 1n;
