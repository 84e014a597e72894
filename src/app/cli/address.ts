import { deploymentTransaction } from '../../base/chain/create2.ts';
import { receiptAddress } from '../../base/chain/receipt-address.ts';
import { RECEIPT_FACTORY, receiptAddressCode, receiptFactoryDeployment } from '../../base/chain/receipt-record.ts';
import type { Wallet } from '../../base/core/wallet.ts';
import { print } from './print.ts';

interface Given {
  readonly split: Wallet;
  readonly merchant: Wallet;
  readonly receipt: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly number?: number;
  readonly factory?: Wallet;
  readonly address?: Wallet;
  readonly json?: boolean;
}

/**
 * `quittance address verify`: computes the address of a receipt without a request, and compares it. Exits with 1 if it
 * is another one, or if the factory is unknown: what code that makes is not known either.
 */
export async function addressVerify({ receipt, json, ...given }: Given): Promise<void> {
  const { split, merchant, createdAt, number = 0, factory = RECEIPT_FACTORY } = given;
  const address = receiptAddress({ factory, split, merchant, receiptId: receipt, createdAt, number });
  const isKnown = factory === RECEIPT_FACTORY;
  const matches = given.address === undefined ? null : given.address === address;
  const code = isKnown ? receiptAddressCode(factory, split) : null;
  print({ address, matches, split, factory, isKnown, code }, json, [
    address,
    isKnown
      ? `Its code can only send what it holds to the split ${split}. It is ${code}.`
      : `UNKNOWN FACTORY: nothing is known about the code that ${factory} makes. This version knows ${RECEIPT_FACTORY}.`,
    ...(matches === null ? [] : [matches ? 'It is the given address.' : `DIFFERENT: the given address is not it.`]),
  ]);
  if (!isKnown || matches === false) process.exitCode = 1;
}

/** `quittance address factory`: the transaction that deploys the factory, for any wallet. It needs no value. */
export async function addressFactory({ json }: { json?: boolean }): Promise<void> {
  const { address, ...deployment } = receiptFactoryDeployment();
  const { to, data } = deploymentTransaction(deployment);
  print({ address, to, data }, json, [to, data]);
}
