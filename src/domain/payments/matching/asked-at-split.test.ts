import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizedTransfer } from '../../../base/chain/authorizations.ts';
import { mintTestTokens } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { authorizationOf, newAuthorizer, signAuthorization, usdcOf } from '../../../base/chain/test/authorize.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { lockReceiptOrRefuse, recordChange } from '../../sales/receipts/record-change.ts';
import { replaceSplit } from '../../shop/splits/configure.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { PaymentAuthorizationSchema } from '../gasless/authorization.entity.ts';
import { QuoteSchema } from '../quotes/quote.entity.ts';
import { payTwice, storedTransfer, submitSigned } from '../test/quoted.ts';
import { expire, setTerms } from '../test/terms.ts';
import { openWorld, type World } from '../test/world.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { submitTransactionWithin } from './submit.ts';
import { followHints } from './transaction-hints.ts';

// Rows as version 0.1 has stored them.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;

/** A receipt of ten dollars that version 0.1 has quoted a unique amount of USDC at the split. */
async function asked({ amount = '10001234', earlier = [] as string[], merchant = null as Wallet | null } = {}) {
  merchant ??= (await world.merchant()).wallet;
  const receiptId = await world.receipt(merchant, 1_000);
  const payTo = await world.splitOf(merchant);
  const now = Date.now();
  const quote = {
    ...{ merchant, receiptId, chainId: world.chain.chainId, payTo, token: 'USDC', amount, usd: '10', usdPerUnit: '1' },
    ...{ id: `quote_${receiptId}`, createdAt: now, expiresAt: now + 24 * HOUR_MS, seenAt: now, reservedUntil: null },
  };
  await world.deps.db.orm.em.fork().insert(QuoteSchema, { ...quote, earlier });
  await world.deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    await recordChange(world.deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor: 'buyer' });
  });
  return { merchant, receiptId, quote };
}
const statusOf = ({ merchant, receiptId }: Awaited<ReturnType<typeof asked>>) => world.status(merchant, receiptId);

describe('a unique amount that was quoted at the split', () => {
  test('pays its receipt, with its confirmations, and leaves no surplus', async () => {
    const made = await asked();
    await world.pay(made.quote);
    await world.mine(2);
    await world.look();
    expect(await statusOf(made)).toBe('paid');
    expect((await world.history(made.merchant, made.receiptId)).at(-1)!.detail).not.toHaveProperty('surplusUsd');
  });

  test('pays its receipt until its late hours are over, and no longer', async () => {
    for (const [agoMs, status] of [
      [23 * HOUR_MS, 'tx_mined'],
      [25 * HOUR_MS, 'failed'],
    ] as const) {
      const made = await asked();
      await setTerms(world, made.merchant, { lateHours: 24 });
      await expire(world, made.merchant, made.receiptId, agoMs);
      await world.pay(made.quote);
      await world.look();
      expect(await statusOf(made)).toBe(status);
    }
  });

  test('adds up with a part at the receipt’s own address, in either order', async () => {
    for (const isFirst of [true, false]) {
      const made = await asked({ amount: '4000777' });
      const payTo = await world.address(made.merchant, made.receiptId);
      const parts = [made.quote, { token: 'USDC', payTo, amount: '6000000' }];
      for (const [i, part] of (isFirst ? parts : parts.toReversed()).entries()) {
        await world.pay(part);
        await world.mine(2);
        await world.look();
        expect([isFirst, await statusOf(made)]).toEqual([isFirst, ['tx_mismatch', 'paid'][i]]);
      }
      expect(await rowsOf(listUnmatched(world.deps, made.merchant))).toEqual([]);
    }
  });

  test('pays its receipt at the split that was replaced meanwhile', async () => {
    const made = await asked();
    const [first] = await world.deps.db.orm.em.fork().find(SplitSchema, { merchant: made.merchant });
    await setTerms(world, made.merchant, {});
    // The merchant is the platform, and gets everything.
    const settings = { ...world.deps.settings, platformRecipient: made.merchant };
    await replaceSplit({ ...world.deps, settings }, made.merchant, {});
    expect(await world.splitOf(made.merchant)).not.toBe(first!.address);
    await world.pay(made.quote);
    await world.mine(2);
    await world.look();
    expect(await statusOf(made)).toBe('paid');
  });

  test('pays no one where several receipts were quoted it, before its sender has signed', async () => {
    const first = await asked();
    const second = await asked({ merchant: first.merchant, amount: '10005678', earlier: [first.receiptId] });
    const hash = await world.pay(second.quote);
    await world.look();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['pending', 'pending']);
    await submitSigned(world, first, hash);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['tx_mined', 'pending']);
  });

  test('of another receipt is not the receipt’s, and another amount is unmatched', async () => {
    const made = await asked();
    await world.pay({ ...made.quote, amount: '10001233' });
    await world.look();
    expect(await statusOf(made)).toBe('pending');
    expect(await rowsOf(listUnmatched(world.deps, made.merchant))).toMatchObject([{ reason: 'unknown_amount' }]);
  });

  test('paid twice is a duplicate, which pays once the first payment has lost its block', async () => {
    const made = await asked();
    const [first, second] = await payTwice(world, made.quote);
    expect(await rowsOf(listUnmatched(world.deps, made.merchant))).toMatchObject([
      { transactionHash: second, reason: 'duplicate', candidates: [{ receiptId: made.receiptId }] },
    ]);
    await revertTransfer(world.deps, await storedTransfer(world, first));
    expect(await world.read(made.merchant, made.receiptId)).toMatchObject({
      ...{ status: 'tx_mined', transactionHash: second },
    });
  });
});

test('a card session of version 0.1 delivers any amount to the split', async () => {
  const made = await asked();
  const transactionHash = await world.pay({ ...made.quote, amount: '10030000' });
  await world.look();
  const { merchant, receiptId } = made;
  await world.deps.db.transaction((uow) =>
    submitTransactionWithin(world.deps, uow, { merchant, receiptId, transactionHash, vouchedBy: 'onramp:stripe' }),
  );
  await followHints(world.deps, (await world.look()).cursor);
  expect(await statusOf(made)).toBe('tx_mined');
});

test('an authorization that was signed for the split pays its receipt', async () => {
  const made = await asked();
  const { merchant, receiptId, quote } = made;
  const payer = newAuthorizer();
  await mintTestTokens(world.chain, 'USDC', payer.wallet, BigInt(quote.amount));
  const authorization = authorizationOf(payer.wallet, { to: quote.payTo, value: BigInt(quote.amount) });
  const key = { chainId: world.chain.chainId, token: 'USDC', payer: payer.wallet, nonce: authorization.nonce };
  const times = { validBefore: Number(authorization.validBefore), createdAt: Date.now(), updatedAt: Date.now() };
  const stored = {
    ...key,
    ...times,
    merchant,
    receiptId,
    payTo: quote.payTo,
    amount: quote.amount,
    state: 'sent',
  } as const;
  await world.deps.db.orm.em
    .fork()
    .insert(PaymentAuthorizationSchema, { ...stored, transactionHash: `0x${'1'.repeat(64)}` });
  // The amount is that of another receipt's quote by now.
  await world.deps.db.orm.em.fork().nativeUpdate(QuoteSchema, { merchant, receiptId }, { amount: '1' });
  const signature = await signAuthorization(world.chain, payer.account, authorization);
  const sender = createSender(world.chain, localAccount('buyer', 3).privateKey);
  await sender.send(authorizedTransfer(usdcOf(world.chain), authorization, { signature, byKey: true }));
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', buyerWallet: payer.wallet });
});
