// Collects what stands at the address of a receipt, from its record alone: no server, no database, and on any chain.
//   RPC_URL=https://… PRIVATE_KEY=0x… node docs/examples/collect/collect.ts record.json [token]
// The record is one of `addressRecords`. By hand: {"merchant", "receiptId", "createdAt" (epoch ms), "number",
// "recipients": [{"address", "sharesBps"}]}. Without a token it collects the chain's coin.
import { readFileSync } from 'node:fs';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type AskNode, collectSteps, readCollectState, readRecord } from '../../../src/base/chain/receipt-record.ts';
import { parseWallet } from '../../../src/base/core/wallet.ts';

const [file, token = null] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PRIVATE_KEY as Hex);
const wallet = createWalletClient({ account, transport: http(process.env.RPC_URL) }).extend(publicActions);

const record = readRecord(readFileSync(file!, 'utf8'));
if ('fault' in record) throw new Error(`This is no record: ${JSON.stringify(record)}`);
const tokenAddress = token === null ? null : parseWallet(token);
if (token !== null && tokenAddress === null) throw new Error('The token is no address');
console.log('address', record.address, 'split', record.split);

const state = await readCollectState(wallet.request as AskNode, record, tokenAddress);
if (state === null) throw new Error('No token answers at this address');
const steps = collectSteps(record, state, tokenAddress);
if (typeof steps === 'string') throw new Error(`The ${steps} has no code on this chain and cannot be put there`);
for (const step of steps) {
  const hash =
    step.name === 'deployer'
      ? await wallet.sendRawTransaction({ serializedTransaction: step.signed })
      : await wallet.sendTransaction({ chain: null, ...step.call, to: step.call.to as string as Hex });
  const { status } = await wallet.waitForTransactionReceipt({ hash });
  console.log(step.name, hash, status);
}
