import { encodeFunctionData, getAddress, type Hash, type Hex, hashTypedData, parseAbi, zeroHash } from 'viem';
import { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type Chain, LOCAL_CHAIN_ID, reach } from './client.ts';
import managerArtifact from './contracts/spend-permission-manager.json' with { type: 'json' };
import { addressOf, type Deployment, type TransactionCall } from './create2.ts';

/** What a customer signs: the spender may take up to the allowance in each period. Big numbers are decimal text, as they travel in JSON. */
export interface SpendPermission {
  readonly account: Wallet;
  readonly spender: Wallet;
  readonly token: Wallet;
  /** Base units of the token for each period; what is left over does not carry over. */
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

/** The type as EIP-712 has it, field by field. */
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

/** What we call on Coinbase's SpendPermissionManager, and what it tells. */
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

/** Of the chains that we know tokens of, those where it is deployed: Ethereum, OP Mainnet, Polygon, Base, Arbitrum One, Base Sepolia, Sepolia. */
const COINBASE_CHAINS: ReadonlySet<number> = new Set([1, 10, 137, 8453, 42161, 84532, 11155111]);

/** The local chain's stand-in for Coinbase's manager. */
export const localManager: Deployment = {
  initCode: managerArtifact.bytecode as Hex,
  salt: zeroHash,
  address: addressOf(managerArtifact.bytecode as Hex, zeroHash),
};

/** The spend permission manager of a chain; null where we know of none. */
export function defaultSpendPermissionManager(chainId: number): Wallet | null {
  if (chainId === LOCAL_CHAIN_ID) return localManager.address;
  return COINBASE_CHAINS.has(chainId) ? COINBASE_MANAGER : null;
}

/** The EIP-712 domain that permissions of this manager are signed in. */
export const spendPermissionDomain = (chainId: number, manager: Wallet) =>
  ({
    name: 'Spend Permission Manager',
    version: '1',
    chainId,
    verifyingContract: getAddress(toAddress(manager)),
  }) as const;

/** A permission as viem and the contracts take it. */
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

/** The typed data whose signature is the permission's. */
export const spendPermissionTypedData = (chainId: number, manager: Wallet, permission: SpendPermission) =>
  ({
    domain: spendPermissionDomain(chainId, manager),
    types: SPEND_PERMISSION_TYPES,
    primaryType: 'SpendPermission',
    message: toMessage(permission),
  }) as const;

/** What the manager calls the permission (`getHash`), and what is signed: one for each permission, manager and chain. */
export const hashSpendPermission = (chainId: number, manager: Wallet, permission: SpendPermission): Hash =>
  hashTypedData(spendPermissionTypedData(chainId, manager, permission));

/** A period of a permission, unix seconds. */
export interface PermissionPeriod {
  /** Inclusive. */
  readonly start: number;
  /** Exclusive; cut off by the permission's own end. */
  readonly end: number;
}

/** The period that a moment (unix seconds) is in, as the manager computes it; null before the permission's start and after its end. */
export function periodAt(
  { start, end, period }: Pick<SpendPermission, 'start' | 'end' | 'period'>,
  atS: number,
): PermissionPeriod | null {
  if (atS < start || atS >= end) return null;
  const periodStart = atS - ((atS - start) % period);
  return { start: periodStart, end: Math.min(end, periodStart + period) };
}

/** Whether the account or the spender has revoked the permission, as of the latest block. Refuses with `chain_unavailable`. */
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

/** The account's own revocation, which it sends itself. */
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

/** Who has revoked what within the blocks, both ends included: the hashes of all permissions, our own or not. Refuses with `chain_unavailable`. */
export async function readRevoked(chain: Chain, manager: Wallet, fromBlock: bigint, toBlock: bigint): Promise<Hash[]> {
  const logs = await reach(
    chain.client.getLogs({ address: toAddress(manager), event: revokedEvent, fromBlock, toBlock, strict: true }),
  );
  return logs.map(({ args }) => args.hash);
}

/** Whether the account is a contract that has made the manager an owner, as charging it needs; `no_contract` where there is no code. */
export async function readOwnership(
  chain: Chain,
  manager: Wallet,
  account: Wallet,
): Promise<'owner' | 'not_owner' | 'no_contract'> {
  const address = toAddress(account);
  if ((await reach(chain.client.getCode({ address }))) === undefined) return 'no_contract';
  const abi = parseAbi(['function isOwnerAddress(address owner) view returns (bool)']);
  try {
    const owns = await reach(
      chain.client.readContract({ abi, address, functionName: 'isOwnerAddress', args: [toAddress(manager)] }),
    );
    return owns ? 'owner' : 'not_owner';
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return 'not_owner';
  }
}
