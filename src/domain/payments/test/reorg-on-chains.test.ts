import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import { deployOnce } from '../../../base/chain/deploy-once.ts';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { startTestChain, type TestChain } from '../../../base/chain/test/anvil.ts';
import { furtherTestToken } from '../../../base/chain/test-token.ts';
import { SLOW_CHAIN_ID } from '../../../base/core/local-chains.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { type PaymentQuote, quotePayment } from '../paying/quote-payment.ts';
import { TransferSchema } from '../transfers/core/transfer.entity.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { scan } from '../watching/scan.ts';
import { storedTransfer } from './quoted.ts';
import { openWorld, type World } from './world.ts';

/** USDC with other decimals than on the first chain. */
const bridged = furtherTestToken('Test Bridged USD', 'USDC', 18);

let world: World;
let second: TestChain;
let deps: World['deps'];
beforeAll(async () => {
  [world, second] = await Promise.all([openWorld(), startTestChain([], SLOW_CHAIN_ID)]);
  const sender = createSender(second.chain, localAccount('deployer').privateKey);
  await deployOnce(second.chain, sender, bridged);
  const { symbol, address, decimals } = bridged;
  const there = createChain({
    chainId: SLOW_CHAIN_ID,
    rpcUrl: second.rpcUrl,
    confirmations: 3,
    tokens: [{ symbol, address, decimals }],
  });
  deps = { ...world.deps, chains: [world.chain, there] };
});
afterAll(() => Promise.all([world.stop(), second.stop()]));

test.each([
  [31_337, SLOW_CHAIN_ID],
  [SLOW_CHAIN_ID, 31_337],
])(
  'when a payment on %i loses its block, a duplicate on %i pays at the value that it has there',
  async (one, other) => {
    const { wallet: merchant, split } = await world.merchant();
    const em = deps.db.orm.em.fork();
    const { merchant: _, ...known } = await em.findOneOrFail(SplitSchema, { address: split });
    await em
      .fork()
      .insert(SplitSchema, { ...known, merchant, id: `${known.id}-b`, chainId: SLOW_CHAIN_ID, createdBlock: 0 });
    const receiptId = await world.receipt(merchant, 2_500);
    const quotes = new Map<number, PaymentQuote>();
    for (const chainId of [one, other])
      quotes.set(chainId, await quotePayment(deps, { merchant, receiptId, token: 'USDC', chainId }));

    /** Pays the quote of a chain, and lets the watcher read it. */
    const pay = async (chainId: number) => {
      const on = onChain(deps, chainId);
      const { payTo, amount } = quotes.get(chainId)!;
      const hash = await payFromTestWallet(on.chain, { token: 'USDC', to: payTo, amount: BigInt(amount) });
      await on.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      await scan(on);
      return hash;
    };
    const first = await pay(one);
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: first });
    const again = await pay(other);
    expect(await storedTransfer(world, again)).toMatchObject({ chainId: other, receiptId: null });

    await revertTransfer(onChain(deps, one), await storedTransfer(world, first));
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: again });
    const credited = await deps.db.orm.em.fork().findOneOrFail(TransferSchema, { transactionHash: again });
    expect(credited.receiptId).toBe(receiptId);
    expect(Number(credited.usd)).toBeCloseTo(25, 1);
  },
);
