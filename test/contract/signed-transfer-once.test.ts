import { beforeEach, describe, expect, test } from 'vitest';
import type { Authorizer } from '../../src/base/chain/test/authorize.ts';
import { codeOf } from '../graphql/ask.ts';
import { openHeldShop } from '../support/held-shop.ts';
import { until } from '../support/program.ts';

const shop = await openHeldShop();
beforeEach(() => shop.automine(true));

const spentBy = async ({ wallet }: Authorizer, before: bigint) => before - (await shop.balanceOf(wallet));

/** Replaces the blocks since a snapshot by empty ones. */
async function reorganise(snapshot: `0x${string}`): Promise<void> {
  await shop.chain.control.revert({ id: snapshot });
  await shop.chain.control.increaseTime({ seconds: 7 });
  await shop.mine(3);
}

describe('a signed transfer whose block a reorganisation removes', () => {
  test('is expected again: no second one is drafted or taken, and its payer pays once', async () => {
    const id = await shop.order();
    const payer = await shop.payer();
    const before = await shop.balanceOf(payer.wallet);
    const signed = await shop.sign(id, payer);
    const snapshot = await shop.chain.control.snapshot();
    await shop.sendSigned(id, signed);
    await until(async () => {
      await shop.look();
      return (await shop.status(id)) === 'tx_mined';
    });
    expect(await shop.authorizations(id)).toEqual(['credited']);
    await shop.automine(false);
    await reorganise(snapshot);
    await shop.scan();
    expect(await shop.status(id)).toBe('pending');
    expect(await shop.authorizations(id)).toEqual(['mined']);
    await shop.quote(id);
    expect(codeOf(await shop.draft(id, payer))).toBe('payment_underway');
    expect(codeOf(await shop.draft(id, { wallet: shop.merchant.wallet }))).toBe('payment_underway');
    expect(codeOf(await shop.void(id))).toBe('invalid_input');
    await shop.automine(true);
    await until(async () => {
      await shop.mine();
      await shop.look();
      return (await shop.status(id)) === 'paid';
    });
    expect(await shop.authorizations(id)).toEqual(['credited']);
    expect(await spentBy(payer, before)).toBe(BigInt(signed.value as string));
    expect(await shop.unmatched()).toEqual([]);
  });

  test('and which then fails lets its payer sign again with the same nonce only, so that one of them can pay', async () => {
    const id = await shop.order();
    const payer = await shop.payer();
    const signed = await shop.sign(id, payer);
    await shop.automine(false);
    await shop.sendSigned(id, signed);
    await shop.takeMoney(payer);
    await shop.mine();
    await shop.follow();
    expect(await shop.authorizations(id)).toEqual(['failed']);
    await shop.automine(true);
    expect(codeOf(await shop.draft(id, payer))).toBe('payment_underway');
    // The watcher has had the time to find a transfer of someone else.
    await shop.rows('update payment_authorizations set updated_at = 1 where receipt_id = $1', [id]);
    expect(codeOf(await shop.draft(id, { wallet: shop.merchant.wallet }))).toBe('payment_underway');
    const again = await shop.sign(id, payer);
    expect(again.nonce).toBe(signed.nonce);
    await shop.giveMoney(payer);
    const before = await shop.balanceOf(payer.wallet);
    await shop.sendSigned(id, again);
    await shop.reach(id, 'paid');
    expect(await shop.authorizations(id)).toEqual(['credited']);
    expect(await spentBy(payer, before)).toBe(BigInt(again.value as string));
  });
});

test('a receipt is not voided between the sending of a signed transfer and its block, and the transfer pays it', async () => {
  const id = await shop.order();
  const signed = await shop.sign(id, await shop.payer());
  await shop.automine(false);
  await shop.sendSigned(id, signed);
  expect(codeOf(await shop.void(id))).toBe('invalid_input');
  await shop.automine(true);
  await shop.reach(id, 'paid');
  expect(await shop.authorizations(id)).toEqual(['credited']);
  expect(await shop.unmatched()).toEqual([]);
});

test('a signed transfer that is in a block after the end of its receipt pays it, also if no late money is accepted', async () => {
  const id = await shop.order();
  const signed = await shop.sign(id, await shop.payer());
  await shop.automine(false);
  await shop.sendSigned(id, signed);
  await shop.rows('update merchants set shop = shop || \'{"lateHours": 0}\' where wallet = $1', [shop.merchant.wallet]);
  await shop.expire(id);
  await shop.automine(true);
  await shop.chain.control.increaseTime({ seconds: 60 });
  await shop.reach(id, 'paid');
  expect(await shop.unmatched()).toEqual([]);
});

// Last, because the chain's time is ahead of the server's afterwards.
test('a failed signed transfer gives way to another payer once a final block is past its end', async () => {
  const id = await shop.order();
  const payer = await shop.payer();
  const signed = await shop.sign(id, payer);
  await shop.automine(false);
  await shop.sendSigned(id, signed);
  await shop.takeMoney(payer);
  await shop.mine();
  await shop.follow();
  await shop.automine(true);
  await shop.rows('update payment_authorizations set updated_at = 1 where receipt_id = $1', [id]);
  const other = await shop.payer();
  await shop.quote(id);
  expect(codeOf(await shop.draft(id, other))).toBe('payment_underway');
  await shop.chain.control.increaseTime({ seconds: 1_000 });
  await shop.mine(1);
  expect(codeOf(await shop.draft(id, other))).toBe('payment_underway');
  await shop.mine(3);
  expect(codeOf(await shop.draft(id, other))).toBe(null);
});
