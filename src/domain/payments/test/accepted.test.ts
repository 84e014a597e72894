import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import type { PaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { acceptPayment } from '../transfers/accept-payment.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { merchantWithEther, payPart, type Quoted, quoted, storedTransfer } from './quoted.ts';
import { setTerms } from './terms.ts';
import { openWorld, type World } from './world.ts';

// Payments that are too small and are accepted: by the merchant's tolerance, or by hand.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const admin = `0x${'a'.repeat(40)}` as Wallet;
const ONE_PERCENT: Partial<PaymentTerms> = { toleranceBps: 100, toleranceCents: 1_000 };

async function confirm(): Promise<void> {
  await world.mine(3);
  await world.look();
}

/** A receipt of ten dollars whose merchant has these terms. */
async function tenDollars(terms: Partial<PaymentTerms> = {}): Promise<Quoted> {
  const made = await quoted(world, 1_000);
  await setTerms(world, made.merchant, terms);
  return made;
}

const notes = async ({ merchant, receiptId }: Quoted) => (await world.history(merchant, receiptId)).slice(1);
const statusOf = ({ merchant, receiptId }: Quoted) => world.status(merchant, receiptId);

describe('the tolerance', () => {
  test('accepts what is missing, and the history records it', async () => {
    const receipt = await tenDollars(ONE_PERCENT);
    await payPart(world, receipt, '9900000');
    await confirm();
    expect(await world.read(receipt.merchant, receipt.receiptId)).toMatchObject({
      ...{ status: 'paid', acceptedUsd: '0.1', paidAmount: '9900000' },
    });
    const rows = await notes(receipt);
    expect(rows.map(({ what }) => what)).toEqual([...['status:tx_mined', 'note:accepted_difference', 'status:paid']]);
    expect(rows[1]!.detail).toEqual({ totalUsd: '10', receivedUsd: '9.9', missingUsd: '0.1' });
  });

  test('accepts it for assigned money', async () => {
    const receipt = await tenDollars(ONE_PERCENT);
    const { merchant, receiptId } = receipt;
    const straight = { quote: { ...receipt.quote, payTo: await world.splitOf(merchant) } };
    const transactionHash = await payPart(world, straight, '9950000');
    expect(await rowsOf(listUnmatched(world.deps, merchant))).toMatchObject([{ reason: 'unknown_amount' }]);
    await assignTransfer(world.deps, { merchant, transactionHash, receiptId, by: admin });
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', acceptedUsd: '0.05' });
  });

  test('accepts it for a coin that has become cheaper since its quote expired', async () => {
    const merchant = await merchantWithEther(world);
    await setTerms(world, merchant, ONE_PERCENT);
    const receiptId = await world.receipt(merchant, 10_000);
    const anHourAgo = { ...world.deps, clock: () => Date.now() - 3_600_000 };
    const quote = await quotePayment(anHourAgo, { merchant, receiptId, token: 'ETH' });
    world.rates.set('ETH', '3084.5');
    await world.pay(quote);
    await world.look();
    const { status, acceptedUsd } = await world.read(merchant, receiptId);
    expect([status, Number(acceptedUsd).toFixed(1)]).toEqual(['tx_mined', '0.5']);
    world.rates.set('ETH', '3100');
  });

  test('accepts no more than the smaller limit, and nothing without both', async () => {
    const [more, none] = [await tenDollars({ toleranceBps: 1_000, toleranceCents: 9 }), await tenDollars()];
    await payPart(world, more, '9900000');
    await payPart(world, none, '9999999');
    for (const receipt of [more, none]) {
      expect(await statusOf(receipt)).toBe('tx_mismatch');
      expect(await readMissing(world.deps, receipt.merchant, receipt.receiptId)).not.toBeNull();
    }
  });

  test('applies to all parts of a payment together', async () => {
    const receipt = await tenDollars(ONE_PERCENT);
    await payPart(world, receipt, '5000000');
    expect(await statusOf(receipt)).toBe('tx_mismatch');
    await payPart(world, receipt, '4900000');
    await confirm();
    expect(await world.read(receipt.merchant, receipt.receiptId)).toMatchObject({
      ...{ status: 'paid', acceptedUsd: '0.1' },
    });
  });

  test('is void if a reorganisation removes a part: the rest is due again', async () => {
    const receipt = await tenDollars(ONE_PERCENT);
    const { merchant, receiptId } = receipt;
    await payPart(world, receipt, '5000000');
    const second = await payPart(world, receipt, '4900000');
    await revertTransfer(world.deps, await storedTransfer(world, second));
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mismatch', acceptedUsd: null });
    expect((await readMissing(world.deps, merchant, receiptId))!.usd).toBe('5');
  });
});

describe('acceptPayment', () => {
  const accept = ({ merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>) =>
    acceptPayment(world.deps, merchant, receiptId, `wallet:${admin}`);
  const refused = (message: string) => ({
    code: 'invalid_input',
    message: expect.stringContaining(message),
    extra: { field: 'receiptId' },
  });

  test('makes a mismatch paid once, and the history names the admin and the difference', async () => {
    const receipt = await tenDollars();
    await payPart(world, receipt, '4000000');
    await accept(receipt);
    expect(await statusOf(receipt)).toBe('tx_mined');
    await accept(receipt);
    await confirm();
    await accept(receipt);
    expect(await statusOf(receipt)).toBe('paid');
    const rows = await world.deps.db.orm.em
      .fork()
      .execute(`select kind, actor, detail from receipt_history where receipt_id = ? order by seq offset 2`, [
        receipt.receiptId,
      ]);
    const detail = { totalUsd: '10', receivedUsd: '4', missingUsd: '6' };
    expect(rows).toMatchObject([
      { kind: 'status', actor: `wallet:${admin}`, detail },
      { kind: 'note', actor: `wallet:${admin}`, detail },
      { kind: 'status', actor: 'chain' },
    ]);
  });

  test('waits for the confirmations of all its money', async () => {
    const receipt = await tenDollars();
    await payPart(world, receipt, '4000000');
    await confirm();
    await payPart(world, receipt, '4000000');
    await accept(receipt);
    await world.look();
    expect(await statusOf(receipt)).toBe('tx_mined');
    await confirm();
    expect(await statusOf(receipt)).toBe('paid');
  });

  test('refuses a receipt without money, a paid one and an unknown one, and changes nothing', async () => {
    const receipt = await tenDollars();
    await expect(accept(receipt)).rejects.toMatchObject(refused('nothing was received'));
    expect(await notes(receipt)).toEqual([]);
    await world.pay(receipt.quote);
    await world.look();
    await expect(accept(receipt)).rejects.toMatchObject(refused('it is tx_mined'));
    await confirm();
    await expect(accept(receipt)).rejects.toMatchObject(refused('it is paid'));
    expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
    await expect(accept({ ...receipt, receiptId: 'R-none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept({ ...receipt, merchant: admin })).rejects.toMatchObject({ code: 'not_found' });
  });
});
