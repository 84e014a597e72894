// Collects what stands at the address of a receipt, from its record alone: no server, no database, and on any chain.
//   RPC_URL=https://… PRIVATE_KEY=0x… node docs/examples/collect/collect.ts record.json [token]
// The record: {"merchant", "receiptId", "createdAt" (epoch ms), "number", "recipients": [{"address", "sharesBps"}]}, for
// a split that was made with a nonce also "nonce". Without a token it collects the chain's coin.
import { readFileSync } from 'node:fs';
import { createPublicClient, createWalletClient, type Hex, http, parseEther, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { toWallet } from '../../../src/base/chain/address.ts';
import { DEPLOYER, deploymentTransaction, type TransactionCall } from '../../../src/base/chain/create2.ts';
import {
  collectCall,
  RECEIPT_FACTORY,
  receiptAddress,
  receiptFactoryDeployment,
  receiptSalt,
} from '../../../src/base/chain/receipt-address.ts';
import { planSplitter } from '../../../src/base/chain/splitter.ts';
import type { Wallet } from '../../../src/base/core/wallet.ts';

const [record, token = null] = process.argv.slice(2);
const { recipients, nonce, ...receipt } = JSON.parse(readFileSync(record!, 'utf8'));
const transport = http(process.env.RPC_URL);
const chain = createPublicClient({ transport });
const account = privateKeyToAccount(process.env.PRIVATE_KEY as Hex);
const wallet = createWalletClient({ account, transport });

/** The deployer's own transaction. Its signature is made up, so that its signer has no key and pays 100 gwei a gas. */
const DEPLOYER_TRANSACTION =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222';

const isThere = async (address: string) => (await chain.getCode({ address: address as Hex })) !== undefined;

async function send({ to, data, value }: Partial<TransactionCall>): Promise<void> {
  const hash = await wallet.sendTransaction({ chain: null, to: to as Hex, data, value });
  const { status } = await chain.waitForTransactionReceipt({ hash });
  console.log(hash, status);
}

if (!(await isThere(DEPLOYER))) {
  const signer = await recoverTransactionAddress({ serializedTransaction: DEPLOYER_TRANSACTION });
  await send({ to: toWallet(signer), value: parseEther('0.01') });
  const hash = await chain.sendRawTransaction({ serializedTransaction: DEPLOYER_TRANSACTION });
  await chain.waitForTransactionReceipt({ hash });
}
const split = planSplitter({ merchant: receipt.merchant, recipients, nonce });
for (const deployment of [receiptFactoryDeployment(), split])
  if (!(await isThere(deployment.address))) await send(deploymentTransaction(deployment));

const made = { factory: RECEIPT_FACTORY, split: split.address };
console.log('address', receiptAddress({ ...made, ...receipt }), 'split', split.address);
const payees = recipients.map(({ address }: { address: Wallet }) => address);
await send(collectCall({ ...made, token: token as Wallet | null, salts: [receiptSalt(receipt)], payees }));
