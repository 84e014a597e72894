import { encodeDeployData, encodeFunctionData, type Hex, parseAbi, zeroHash } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import artifact from './contracts/spend-permission-charger.json' with { type: 'json' };
import { addressOf, type Deployment, type TransactionCall } from './create2.ts';
import { type SpendPermission, toMessage } from './spend-permissions.ts';

/** The charging contract and its errors. */
export const chargerAbi = parseAbi([
  'struct SpendPermission { address account; address spender; address token; uint160 allowance; uint48 period; uint48 start; uint48 end; uint256 salt; bytes extraData; }',
  'constructor(address manager, address owner)',
  'function charge(SpendPermission permission, uint160 value, address split, uint48 periodStart, bytes signature)',
  'function revoke(SpendPermission permission)',
  'function chargedUntil(bytes32 hash) view returns (uint48)',
  'function manager() view returns (address)',
  'function owner() view returns (address)',
  'event Charged(bytes32 indexed hash, address indexed account, address indexed split, address token, uint160 value, uint48 periodStart)',
  'error NotOwner(address sender)',
  'error Reentered()',
  'error ZeroValue()',
  'error OtherSpender(address spender)',
  'error OtherPeriod(uint48 current, uint48 wanted)',
  'error AlreadyCharged(uint48 until)',
  'error ExceededAllowance(uint160 value, uint160 allowance)',
  'error Revoked()',
  'error NotForwarded()',
  // Errors of the manager, passed through.
  'error InvalidSignature()',
  'error UnauthorizedSpendPermission()',
  'error BeforeSpendPermissionStart(uint48 currentTimestamp, uint48 start)',
  'error AfterSpendPermissionEnd(uint48 currentTimestamp, uint48 end)',
  'error ExceededSpendPermission(uint256 value, uint256 allowance)',
]);

/**
 * The contract that permissions name as their spender. Its address depends only on the manager and the owner, so it is
 * known before the deployment.
 */
export function planCharger(manager: Wallet, owner: Wallet): Deployment {
  const initCode = encodeDeployData({
    abi: chargerAbi,
    bytecode: artifact.bytecode as Hex,
    args: [toAddress(manager), toAddress(owner)],
  });
  return { initCode, salt: zeroHash, address: addressOf(initCode, zeroHash) };
}

/** The settings that recurring plans need. */
export interface ChargingSettings {
  readonly spendPermissionManager: Wallet | null;
  readonly spenderPrivateKey: Hex | null;
  /** The wallet of the key, where another process holds it. */
  readonly spenderAddress?: Wallet | null;
}

/** The wallet that charges; null if none is configured. */
export const spenderWallet = ({
  spenderPrivateKey,
  spenderAddress = null,
}: Pick<ChargingSettings, 'spenderPrivateKey' | 'spenderAddress'>): Wallet | null =>
  spenderPrivateKey === null ? spenderAddress : toWallet(privateKeyToAddress(spenderPrivateKey));

/** The spender that permissions must name: the charging contract. Null if recurring plans are not configured. */
export function chargerAddress(settings: ChargingSettings): Wallet | null {
  const owner = spenderWallet(settings);
  if (settings.spendPermissionManager === null || owner === null) return null;
  return planCharger(settings.spendPermissionManager, owner).address;
}

export interface ChargeCall {
  readonly permission: SpendPermission;
  /** Base units. */
  readonly value: bigint;
  /** The merchant's split. */
  readonly split: Wallet;
  /** Unix seconds: the start of the one period that may be charged. */
  readonly periodStart: number;
  /** The account's signature over the permission. */
  readonly signature: Hex;
}

/** Moves the value from the account to the split, or reverts. Only the charger's owner may send it. */
export function chargeTransaction(charger: Wallet, charge: ChargeCall): TransactionCall {
  const { permission, value, split, periodStart, signature } = charge;
  const args = [toMessage(permission), value, toAddress(split), periodStart, signature] as const;
  return { to: charger, data: encodeFunctionData({ abi: chargerAbi, functionName: 'charge', args }) };
}

/** Revokes the permission as its spender. Only the charger's owner may send it. */
export function revokeAsSpenderTransaction(charger: Wallet, permission: SpendPermission): TransactionCall {
  const args = [toMessage(permission)] as const;
  return { to: charger, data: encodeFunctionData({ abi: chargerAbi, functionName: 'revoke', args }) };
}
