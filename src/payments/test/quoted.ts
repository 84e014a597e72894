import { encodeFunctionData, type Hex, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deploymentTransaction } from '../../chain/create2.ts';
import { payFromTestWallet } from '../../chain/local.ts';
import { localAccount } from '../../chain/local-accounts.ts';
import { createSender } from '../../chain/sender.ts';
import { testTokenAbi } from '../../chain/test-token.ts';
import type { Wallet } from '../../core/wallet.ts';
import { inTransaction } from '../../platform/unit-of-work.ts';
import { Split } from '../../splits/split.entity.ts';
import { type Claim, claimTypedData } from '../claim.ts';
import { rematchTransfer } from '../match.ts';
import { type PaymentQuote, quotePayment } from '../quote-payment.ts';
import { submitTransaction } from '../submit.ts';
import { followHints } from '../transaction-hints.ts';
import type { TransferRow } from '../transfer-row.ts';
import { selectTransfers } from '../transfers.ts';
import type { SplitOptions, World } from './world.ts';

/** A receipt of a new merchant, and its quote. */
export interface Quoted {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly quote: PaymentQuote;
}

export async function quoted(
  world: World,
  totalCents: number,
  token = 'USDC',
  options: SplitOptions = {},
): Promise<Quoted> {
  const { wallet: merchant } = await world.merchant(options);
  const receiptId = await world.receipt(merchant, totalCents);
  return { merchant, receiptId, quote: await quotePayment(world.deps, { merchant, receiptId, token }) };
}

/** Pays a quote twice in one block, which the watcher then reads; returns both hashes in their order. */
export async function payTwice(world: World, quote: PaymentQuote): Promise<[`0x${string}`, `0x${string}`]> {
  await world.control.setAutomine(false);
  const payment = { token: quote.token, to: quote.payTo, amount: BigInt(quote.amount) };
  try {
    const first = await payFromTestWallet(world.chain, payment);
    const second = await payFromTestWallet(world.chain, payment);
    await world.mine(1);
    await world.look();
    return [first, second];
  } finally {
    await world.control.setAutomine(true);
  }
}

/** Submits a hint and runs the watcher on it. */
export async function submit(
  world: World,
  { merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>,
  transactionHash: string,
  claim?: Claim,
): Promise<void> {
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash, claim });
  let look = await world.look();
  while (look.again) look = await world.look();
  // Hints of earlier tests may be due before it.
  for (let rounds = 0; rounds < 3; rounds++) await followHints(world.deps, look.cursor);
}

/** The claim that a transaction pays a receipt, signed by its sender: the test wallet by default. */
export async function claimOf(
  { chain }: Pick<World, 'chain'>,
  { merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>,
  transactionHash: string,
  key: Hex = localAccount('buyer').privateKey,
): Promise<Claim> {
  const account = privateKeyToAccount(key);
  const data = claimTypedData(chain.chainId, { merchant, receiptId, transactionHash });
  const signature = await account.signTypedData(data as unknown as TypedDataDefinition);
  return { signer: account.address.toLowerCase() as Wallet, signature };
}

/** Submits a hint with the claim of its sender, and runs the watcher on it. */
export async function submitSigned(
  world: World,
  receipt: Pick<Quoted, 'merchant' | 'receiptId'>,
  transactionHash: string,
  key?: Hex,
): Promise<void> {
  await submit(world, receipt, transactionHash, await claimOf(world, receipt, transactionHash, key));
}

/** What the page does when a buyer confirms a payment that was seen: a hint, which the watcher follows. */
export async function confirmAsBuyer(
  world: World,
  { merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>,
  transactionHash: `0x${string}`,
): Promise<void> {
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  await rematchTransfer(world.deps, await storedTransfer(world, transactionHash));
}

/** The stored transfer of a transaction that has one. */
export async function storedTransfer(world: World, hash: `0x${string}`): Promise<TransferRow> {
  return inTransaction(world.deps, (uow) =>
    selectTransfers(uow.db).where('transactionHash', '=', hash).executeTakeFirstOrThrow(),
  );
}

/** A merchant with a deployed splitter, so that it can be paid in ether. */
export async function merchantWithEther(world: World): Promise<Wallet> {
  const { wallet, split } = await world.merchant({ deployed: true });
  const { salt, initCode } = await world.deps.orm.em.fork().findOneOrFail(Split, { address: split });
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  await sender.waitFor((await sender.send(deploymentTransaction({ salt: salt!, initCode: initCode! }))).hash!);
  return wallet;
}

/**
 * Sends several amounts of USDC in one transaction, each to its address: a contract creation that mints them. Returns
 * the hash.
 */
export async function sendBatch(
  world: World,
  payments: readonly { readonly payTo: Wallet; readonly amount: string }[],
): Promise<`0x${string}`> {
  const token = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!.slice(2);
  const CALL_BYTES = 42;
  const data = payments.map(({ payTo, amount }) =>
    encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'mint',
      args: [payTo as string as `0x${string}`, BigInt(amount)],
    }).slice(2),
  );
  // CODECOPY(0, offset, 68); CALL(gas, token, 0, 0, 68, 0, 0); POP
  const calls = data.map((_, i) => {
    const offset = (payments.length * CALL_BYTES + 5 + i * 68).toString(16).padStart(4, '0');
    return `604461${offset}60003960006000604460006000` + `73${token}5af150`;
  });
  const hash = await world.chain.client.request({
    method: 'eth_sendTransaction' as never,
    params: [
      { from: localAccount('deployer').address, data: `0x${calls.join('')}60006000f3${data.join('')}`, gas: '0x7a120' },
    ] as never,
  });
  await world.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return hash;
}
