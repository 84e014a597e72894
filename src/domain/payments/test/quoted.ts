import { encodeFunctionData, type Hex, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deploymentTransaction } from '../../../base/chain/create2.ts';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { testTokenAbi } from '../../../base/chain/test-token.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { type Claim, claimTypedData } from '../matching/claim.ts';
import { submitTransaction } from '../matching/submit.ts';
import { followHints } from '../matching/transaction-hints.ts';
import { type PaymentQuote, quotePayment } from '../paying/quote-payment.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { selectTransfers } from '../transfers/transfers.ts';
import { assignTransfer } from '../unmatched/assign.ts';
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

/** The same for money that goes straight to the split, past the receipt's address. */
export async function quotedPast(world: World, totalCents: number, token = 'USDC'): Promise<Quoted> {
  const made = await quoted(world, totalCents, token);
  return { ...made, quote: { ...made.quote, payTo: await world.splitOf(made.merchant) } };
}

/** Pays a quote twice in one block, which the watcher then reads; returns both hashes in their order. */
export async function payTwice(
  world: World,
  quote: Pick<PaymentQuote, 'token' | 'payTo' | 'amount'>,
): Promise<[`0x${string}`, `0x${string}`]> {
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

/** Pays an amount (base units) of what a receipt was quoted, which the watcher then reads. Returns the hash. */
export async function payPart(world: World, { quote }: Pick<Quoted, 'quote'>, amount: string): Promise<`0x${string}`> {
  const hash = await world.pay({ ...quote, amount });
  await world.look();
  return hash;
}

/** Pays a receipt straight to the split, where no collection is needed, and assigns the payment. */
export async function payPast(
  world: World,
  { merchant, receiptId, token = 'USDC' }: Pick<Quoted, 'merchant' | 'receiptId'> & { readonly token?: string },
): Promise<{ readonly quote: PaymentQuote; readonly hash: `0x${string}` }> {
  const shown = await quotePayment(world.deps, { merchant, receiptId, token });
  const quote = { ...shown, payTo: await world.splitOf(merchant) };
  const hash = await payPart(world, { quote }, quote.amount);
  await assignTransfer(world.deps, { merchant, receiptId, transactionHash: hash, by: merchant });
  return { quote, hash };
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

/** The stored transfer of a transaction that has one. */
export async function storedTransfer(world: World, hash: `0x${string}`): Promise<TransferRow> {
  return world.deps.db.transaction((uow) =>
    selectTransfers(uow.db).where('transactionHash', '=', hash).executeTakeFirstOrThrow(),
  );
}

/** A merchant with a deployed splitter, so that it can be paid in ether. */
export async function merchantWithEther(world: World): Promise<Wallet> {
  const { wallet, split } = await world.merchant({ deployed: true });
  const { salt, initCode } = await world.deps.db.orm.em.fork().findOneOrFail(SplitSchema, { address: split });
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  await sender.waitFor((await sender.send(deploymentTransaction({ salt: salt!, initCode: initCode! }))).hash!);
  return wallet;
}

/**
 * Sends several amounts of USDC in one transaction, each to its address: a contract creation that mints them. Returns
 * the hash.
 */
export async function sendBatch(
  world: Pick<World, 'chain'>,
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
