import { concat, getContractAddress, type Hash, type Hex } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';

/** A call ready to be signed and sent by anyone. */
export interface TransactionCall {
  readonly to: Wallet;
  readonly data: Hex;
  /** In wei; nothing where left out. */
  readonly value?: bigint;
}

/** A contract whose address is known before it exists. */
export interface Deployment {
  readonly address: Wallet;
  readonly salt: Hash;
  /** Creation code with the encoded constructor arguments. */
  readonly initCode: Hex;
}

/** The deterministic deployer (Arachnid's proxy), at the same address on every chain: https://github.com/Arachnid/deterministic-deployment-proxy */
const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c' as Wallet;

/** Where the deterministic deployer puts this code: a matter of arithmetic, no chain is asked. */
export function addressOf(initCode: Hex, salt: Hash): Wallet {
  return toWallet(getContractAddress({ opcode: 'CREATE2', from: toAddress(DEPLOYER), bytecode: initCode, salt }));
}

/** The deployment by the deterministic deployer. It reverts where the contract is already there. */
export function deploymentTransaction({ salt, initCode }: Pick<Deployment, 'salt' | 'initCode'>): TransactionCall {
  return { to: DEPLOYER, data: concat([salt, initCode]) };
}
