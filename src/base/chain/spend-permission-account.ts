import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbi,
  zeroHash,
} from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import accountArtifact from './contracts/spend-permission-account.json' with { type: 'json' };
import factoryArtifact from './contracts/spend-permission-account-factory.json' with { type: 'json' };
import { addressOf, type Deployment, type TransactionCall } from './create2.ts';

/** The local chain's smart account, with the function names of Coinbase's smart wallet. */
export const spendPermissionAccountAbi = parseAbi([
  'constructor(address[] owners)',
  'function execute(address target, uint256 value, bytes data) payable',
  'function addOwnerAddress(address owner)',
  'function removeOwnerAddress(address owner)',
  'function isOwnerAddress(address owner) view returns (bool)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);

const factoryAbi = parseAbi(['function createAccount(address[] owners, uint256 salt) returns (address)']);

/** Deploys accounts at addresses that are known in advance. */
export const accountFactory: Deployment = {
  initCode: factoryArtifact.bytecode as Hex,
  salt: zeroHash,
  address: addressOf(factoryArtifact.bytecode as Hex, zeroHash),
};

/** The address of the account of these owners, in this order. */
export function accountOf(owners: readonly Wallet[], salt = 0n): Wallet {
  const bytecode = encodeDeployData({
    abi: spendPermissionAccountAbi,
    bytecode: accountArtifact.bytecode as Hex,
    args: [owners.map(toAddress)],
  });
  const from = toAddress(accountFactory.address);
  return toWallet(getContractAddress({ opcode: 'CREATE2', from, bytecode, salt: numberToHex(salt, { size: 32 }) }));
}

/** Deploys the account. It has no effect if the account exists. */
export function createAccountTransaction(owners: readonly Wallet[], salt = 0n): TransactionCall {
  const data = encodeFunctionData({
    abi: factoryAbi,
    functionName: 'createAccount',
    args: [owners.map(toAddress), salt],
  });
  return { to: accountFactory.address, data };
}

/** A call by the account. Only its owners may send it. */
export function executeTransaction(account: Wallet, { to, data, value = 0n }: TransactionCall): TransactionCall {
  const args = [toAddress(to), value, data] as const;
  return { to: account, data: encodeFunctionData({ abi: spendPermissionAccountAbi, functionName: 'execute', args }) };
}
