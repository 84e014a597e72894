import { toHex } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { newAuthorizer } from '../../src/base/chain/test/authorize.ts';
import { codeOf } from '../graphql/ask.ts';
import { openHeldShop, type Subscriber } from '../support/held-shop.ts';
import { until } from '../support/program.ts';

const shop = await openHeldShop();
beforeEach(() => shop.automine(true));

/** What may be on its way to a receipt, and how the refusal of a void names it. */
const UNDERWAY: Record<string, { readonly named: string; begin(id: string): Promise<unknown> }> = {
  'a charged card': {
    named: 'a card was charged',
    async begin(id) {
      const url = await shop.openCard(id);
      await shop.automine(false);
      await shop.press(url);
    },
  },
  'a signed transfer that was sent': {
    named: 'a signed transfer was sent',
    async begin(id) {
      const signed = await shop.sign(id, await shop.payer());
      await shop.automine(false);
      await shop.sendSigned(id, signed);
    },
  },
  'a signed transfer in a block that the watcher has not read': {
    named: 'a signed transfer was sent',
    async begin(id) {
      await shop.sendSigned(id, await shop.sign(id, await shop.payer()));
      await until(async () => {
        await shop.follow();
        return (await shop.authorizations(id))[0] === 'mined';
      });
    },
  },
  'a payment in a block': {
    named: 'its transaction is in a block',
    async begin(id) {
      await shop.payInBlock(id);
      await shop.scan();
      expect(await shop.status(id)).toBe('tx_mined');
    },
  },
  'a submitted transaction': {
    named: 'its transaction was submitted',
    async begin(id) {
      await shop.automine(false);
      await shop.submit(id, await shop.pay(id));
    },
  },
};

/** What must not end or pay a receipt meanwhile. Each answers whether it was refused, or left the receipt alone. */
const ATTEMPTS: Record<string, (id: string, named: string) => Promise<void>> = {
  'a void': async (id, named) => {
    const answer = await shop.void(id);
    expect(codeOf(answer)).toBe('invalid_input');
    expect(answer.body.errors[0].message).toContain(named);
  },
  'its expiry': async (id) => {
    await shop.expire(id);
    expect(await shop.read(id)).toMatchObject({ closedAt: null, failure: null });
    await shop.rows('update receipts set expires_at = null where id = $1', [id]);
  },
  'a card checkout': async (id) => expect(codeOf(await shop.startCard(id))).toBe('payment_underway'),
  'a signed transfer': async (id) => {
    const code = codeOf(await shop.draft(id, newAuthorizer()));
    expect(code).toBe((await shop.status(id)) === 'tx_mined' ? 'invalid_input' : 'payment_underway');
  },
  'a renewal': async (id) => expect(codeOf(await shop.renew(id))).toBe('receipt_ended'),
};

/** Lets everything arrive, and expects that the receipt was paid once and nothing is left over. */
async function finish(id: string): Promise<void> {
  await shop.automine(true);
  await shop.reach(id, 'paid');
  expect(await shop.unmatched()).toEqual([]);
}

test.each(Object.entries(UNDERWAY))('while %s is on its way, nothing ends or pays the receipt', async (_, underway) => {
  const id = await shop.order();
  await underway.begin(id);
  for (const attempt of Object.values(ATTEMPTS)) await attempt(id, underway.named);
  await finish(id);
});

test('a receipt whose charge was sent is neither voided nor paid in another way, and is charged once', async () => {
  const customer = await shop.subscribe();
  const { receiptId, answer } = await shop.sendCharge(customer);
  for (const [name, attempt] of Object.entries(ATTEMPTS))
    if (name !== 'its expiry') await attempt(receiptId, 'a recurring charge was sent');
  const again = shop.charge(customer);
  await shop.automine(true);
  await shop.mine();
  expect((await answer).body).toMatchObject({ success: true });
  expect((await again).body.transactionHash ?? (await answer).body.transactionHash).toBe(
    (await answer).body.transactionHash,
  );
  // The charge has succeeded, and the watcher has not read its block.
  expect(codeOf(await shop.void(receiptId))).toBe('invalid_input');
  expect(codeOf(await shop.startCard(receiptId))).toBe('payment_underway');
  await finish(receiptId);
  expect(await shop.subscription(customer)).toMatchObject({ status: 'active', chargeCount: 1, totalChargedUsd: 18 });
});

/** A customer whose charge failed, and whose next one is due. */
async function pastDue(): Promise<{ customer: Subscriber; receiptId: string }> {
  const customer = await shop.subscribe();
  const receiptId = await shop.failCharge(customer);
  await shop.makeDue(customer);
  return { customer, receiptId };
}

test.each(Object.entries(UNDERWAY))(
  'while %s is on its way to the receipt of a failed charge, the charge is not sent, and the payment settles it',
  async (_, { begin }) => {
    const { customer, receiptId } = await pastDue();
    await begin(receiptId);
    const { status, body } = await shop.charge(customer);
    expect([status, body]).toEqual([
      502,
      expect.objectContaining({ error: 'charge_failed', reason: 'payment_underway' }),
    ]);
    expect((await shop.charges(customer)).map((charge) => charge.status)).toEqual(['failed']);
    await finish(receiptId);
    const answer = await shop.charge(customer);
    expect(answer.body).toMatchObject({ success: true, amountUsd: 18, nextChargeAt: expect.any(Number) });
    expect((await shop.charge(customer)).body).toMatchObject({ success: false, reason: 'not_due' });
    expect(await shop.subscription(customer)).toMatchObject({ status: 'active', chargeCount: 1, totalChargedUsd: 18 });
    expect(await shop.billed(customer)).toEqual([{ amount_cents: 1800, fee_cents: 9 }]);
  },
);

test('an expired receipt to which a transaction was submitted is not renewed until that is decided', async () => {
  const id = await shop.order();
  await shop.quote(id);
  await shop.expire(id);
  expect(await shop.status(id)).toBe('failed');
  await shop.submit(id, toHex(7n, { size: 32 }));
  expect(codeOf(await shop.renew(id))).toBe('payment_underway');
});

test('invented transactions hold a receipt for a limited time only, however many there are', async () => {
  const invented = (n: number) => toHex(BigInt(n), { size: 32 });
  const ago = (id: string, minutes: number) =>
    shop.rows('update submitted_transactions set submitted_at = $2 where receipt_id = $1', [
      id,
      Date.now() - minutes * 60_000,
    ]);
  const [old, crowded] = [await shop.order(), await shop.order()];
  await shop.submit(old, invented(1_001));
  expect(codeOf(await shop.void(old))).toBe('invalid_input');
  await ago(old, 11);
  expect(codeOf(await shop.void(old))).toBe(null);
  for (let n = 0; n < 6; n++) await shop.submit(crowded, invented(2_000 + n));
  expect(codeOf(await shop.void(crowded))).toBe(null);
});
