import { concat, encodeAbiParameters, encodeDeployData, type Hex, keccak256, parseAbi } from 'viem';
import type { Recipient } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import artifact from './contracts/payment-splitter.json' with { type: 'json' };
import { addressOf, type Deployment } from './create2.ts';

const splitterAbi = parseAbi(['constructor(address[] payees, uint256[] shares)']);

/** What the constructor of a splitter is given, in the order that does not depend on that of the recipients. */
function constructorArguments(recipients: readonly Recipient[]) {
  const sorted = recipients.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const payees = sorted.map(({ address }) => toAddress(address));
  if (new Set(payees).size !== payees.length) throw new Error('a splitter has each recipient only once');
  return [payees, sorted.map(({ sharesBps }) => BigInt(sharesBps))] as const;
}

/** The split contract of the recipients, in any order, with a salt that is known. */
export function saltedSplitter(recipients: readonly Recipient[], salt: Hex): Deployment {
  const args = constructorArguments(recipients);
  const initCode = encodeDeployData({ abi: splitterAbi, bytecode: artifact.bytecode as Hex, args });
  return { address: addressOf(initCode, salt), salt, initCode };
}

/**
 * The merchant's split contract before its deployment. The same merchant and recipients, in any order, always give the
 * same address, which can be paid before the contract is deployed. A `nonce` gives another address.
 */
export function planSplitter(split: { merchant: Wallet; recipients: readonly Recipient[]; nonce?: Hex }): Deployment {
  const [payees, shares] = constructorArguments(split.recipients);
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address[]' }, { type: 'uint256[]' }],
      [toAddress(split.merchant), payees, shares],
    ),
  );
  return saltedSplitter(split.recipients, split.nonce === undefined ? salt : keccak256(concat([salt, split.nonce])));
}
