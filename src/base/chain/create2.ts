import { concat, getContractAddress, type Hash, type Hex } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';

/** A call that is ready to be signed and sent. */
export interface TransactionCall {
  readonly to: Wallet;
  readonly data: Hex;
  /** In wei; 0 by default. */
  readonly value?: bigint;
}

/** What a wallet of the server sends: a call, or code that runs once (`to` is null). */
export type WalletCall = Omit<TransactionCall, 'to'> & { readonly to: Wallet | null };

/** A contract whose address is known before the deployment. */
export interface Deployment {
  readonly address: Wallet;
  readonly salt: Hash;
  /** Creation code with the encoded constructor arguments. */
  readonly initCode: Hex;
}

/**
 * The deterministic deployer (Arachnid's proxy), at the same address on every chain:
 * https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c' as Wallet;

/** The address of this code under the deterministic deployer. It is computed without a request. */
export function addressOf(initCode: Hex, salt: Hash): Wallet {
  return toWallet(getContractAddress({ opcode: 'CREATE2', from: toAddress(DEPLOYER), bytecode: initCode, salt }));
}

/** The deployment transaction by the deterministic deployer. It reverts if the contract exists. */
export function deploymentTransaction({ salt, initCode }: Pick<Deployment, 'salt' | 'initCode'>): TransactionCall {
  return { to: DEPLOYER, data: concat([salt, initCode]) };
}

/**
 * The same deployment, which ends at once if the contract exists. The deployer itself takes all gas then: what anybody
 * deploys first in the same block would cost this sender a whole deployment. Needs 36,000 gas more.
 *
 * The code: `if (extcodesize(address) == 0 && !call(DEPLOYER, what follows this code)) revert(0, 0)`.
 */
export function guardedDeployment({ address, ...deployment }: Deployment): WalletCall {
  const { to, data } = deploymentTransaction(deployment);
  const [asks, calls] = ['0x3b604b57604d380380604d60003960006000826000600073', '0x5af1604b5760006000fd5b00'] as const;
  return { to: null, data: concat(['0x73', toAddress(address), asks, toAddress(to), calls, data]) };
}
