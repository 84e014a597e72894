import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { follow } from './record-outcomes.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, type Customer, openChargingWorld } from './test/charging.ts';

const WEEK_S = 7 * 86_400;
/** A transaction that is in no block after this many blocks is sent again. */
const STUCK_BLOCKS = 10;

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
  // Deploy the charging contract before the first snapshot, so that no reorg removes it.
  await chargeSubscription(it.deps, (await it.subscribe({ merchant: await it.merchant() })).id);
});
afterAll(() => it?.stop());

type Merchant = Awaited<ReturnType<ChargingWorld['merchant']>>;

interface Charged {
  readonly merchant: Merchant;
  readonly customer: Customer;
  readonly chargeId: string;
  readonly receiptId: string;
  /** Switches to a branch that does not contain the charge. */
  reorganise(): Promise<void>;
}

/** A successful charge in a block that `reorganise` removes. */
async function charged(): Promise<Charged> {
  const { control } = it.world;
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await it.world.look();
  const id = await control.snapshot();
  const { chargeId } = await chargeSubscription(it.deps, customer.id);
  await it.world.look();
  const [charge] = await it.rows<{ receipt_id: string }>('select receipt_id from charges where id = $1', [chargeId]);
  const receiptId = charge!.receipt_id;
  expect(await it.world.status(merchant.wallet, receiptId)).toBe('tx_mined');
  return {
    merchant,
    customer,
    chargeId: chargeId!,
    receiptId,
    async reorganise() {
      await control.revert({ id });
      // Without this, the same transactions would produce identical blocks.
      await control.increaseTime({ seconds: 7 });
    },
  };
}

/** Transfers the customer's tokens away, so that the charge can no longer succeed. */
async function spendAll({ privateKey, wallet }: Customer): Promise<void> {
  const args = [toAddress(localAccount('buyer', 3).address), await it.balanceOf(wallet)] as const;
  await sendFrom(privateKey, {
    to: it.usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  });
}

async function sendFrom(privateKey: Hex, transaction: Parameters<ChargingWorld['send']>[0]): Promise<void> {
  const sender = createSender(it.world.chain, privateKey);
  await sender.waitFor((await sender.send(transaction)).hash!);
}

/** Runs both workers until nothing changes; `first` always runs before the other. */
async function lookAtAll(first: 'payments' | 'charges'): Promise<void> {
  const looks = { payments: () => it.world.look(), charges: () => follow(it.deps, it.key) };
  const turns = first === 'payments' ? (['payments', 'charges'] as const) : (['charges', 'payments'] as const);
  for (const turn of [...turns, ...turns]) for (let look = 0; look < 3; look++) await looks[turn]();
}

const billed = ({ chargeId }: Charged) =>
  it.rows('select amount_cents from billing_events where charge_id = $1', [chargeId]);
const eventsOf = async ({ customer }: Charged) =>
  (
    await it.rows<{ kind: string }>(
      'select kind from subscription_events where subscription_id = $1 order by position',
      [customer.id],
    )
  ).map(({ kind }) => kind);
const receiptOf = ({ merchant, receiptId }: Charged) => it.world.read(merchant.wallet, receiptId);

const neverCharged = { chargeCount: 0, totalChargedCents: 0, lastChargedAt: null };
const chargedOnce = { status: 'active', chargeCount: 1, totalChargedCents: 1000, lastChargedAt: expect.any(Number) };
/** What a payment leaves on a receipt is gone; who is charged was known before it, and stays. */
const unpaid = ({ customer }: Charged) => ({ transactionHash: null, paidAmount: null, buyerWallet: customer.wallet });

/** Charges again, and expects that every record shows exactly one charge: the one that was undone before. */
async function expectChargedAgain(charge: Charged): Promise<void> {
  expect(await chargeSubscription(it.deps, charge.customer.id)).toMatchObject({
    success: true,
    chargeId: charge.chargeId,
  });
  await it.world.look();
  expect(await receiptOf(charge)).toMatchObject({ status: 'tx_mined', paidAmount: '10000000' });
  expect(await it.read(charge.customer.id)).toMatchObject(chargedOnce);
  expect(await billed(charge)).toEqual([{ amount_cents: 1000 }]);
  expect(await it.balanceOf(charge.merchant.split)).toBe(10_000_000n);
}

test.each(['payments', 'charges'] as const)(
  'a charge that reverts after a reorg is undone in the records, the receipt and the stream, and the customer becomes past due (%s first)',
  async (first) => {
    const charge = await charged();
    await charge.reorganise();
    await spendAll(charge.customer);
    // The node may have returned the transaction to its pool; otherwise it is sent again after this many blocks.
    await it.world.mine(STUCK_BLOCKS);
    await lookAtAll(first);
    expect(await it.read(charge.customer.id)).toMatchObject({
      ...neverCharged,
      status: 'past_due',
      lastFailure: 'PORTAL_CHAIN_TX_REVERTED',
    });
    expect(await billed(charge)).toEqual([]);
    expect(await eventsOf(charge)).toEqual(['charged', 'charge_undone', 'charge_failed']);
    expect(await receiptOf(charge)).toMatchObject({
      ...unpaid(charge),
      status: 'failed',
      failureCode: 'PORTAL_CHAIN_TX_REVERTED',
    });
    expect(await it.balanceOf(charge.merchant.split)).toBe(0n);

    // A day later the customer can pay again: the same charge and receipt succeed once.
    await it.mint(charge.customer.wallet, 100_000_000n);
    await it.pass(86_400);
    await expectChargedAgain(charge);
  },
);

test('a charge whose nonce another transaction uses after a reorg is due immediately and is charged again for the same receipt', async () => {
  const charge = await charged();
  await charge.reorganise();
  // Another transaction uses the nonce.
  await sendFrom(it.deps.settings.spenderPrivateKey!, { to: it.key.sender });
  await it.world.mine(STUCK_BLOCKS);
  await lookAtAll('charges');
  expect(await it.read(charge.customer.id)).toMatchObject({ ...neverCharged, status: 'active', attempts: 0 });
  expect(await billed(charge)).toEqual([]);
  expect(await receiptOf(charge)).toMatchObject({ ...unpaid(charge), status: 'failed' });

  await expectChargedAgain(charge);
  expect(await eventsOf(charge)).toEqual(['charged', 'charge_undone', 'charged']);
});

test('a charge whose period ends while it is undone is charged for the next period only', async () => {
  const charge = await charged();
  await charge.reorganise();
  await it.pass(WEEK_S);
  await lookAtAll('payments');
  expect(await it.read(charge.customer.id)).toMatchObject({ ...neverCharged, status: 'active', attempts: 0 });
  const { chargeId } = await chargeSubscription(it.deps, charge.customer.id);
  expect(chargeId).not.toBe(charge.chargeId);
  expect(await receiptOf(charge)).toMatchObject({ ...unpaid(charge), status: 'failed' });
  expect(await it.read(charge.customer.id)).toMatchObject(chargedOnce);
  expect(await it.balanceOf(charge.merchant.split)).toBe(10_000_000n);
});

test('a charge whose transaction moves to another block stays unchanged', async () => {
  const charge = await charged();
  await charge.reorganise();
  await it.world.mine(STUCK_BLOCKS);
  await lookAtAll('charges');
  await it.world.mine(3);
  await lookAtAll('charges');
  expect(await it.read(charge.customer.id)).toMatchObject(chargedOnce);
  expect(await billed(charge)).toEqual([{ amount_cents: 1000 }]);
  expect(await eventsOf(charge)).toEqual(['charged']);
  expect(await receiptOf(charge)).toMatchObject({ status: 'paid', paidAmount: '10000000' });
  expect(await it.balanceOf(charge.merchant.split)).toBe(10_000_000n);
});
