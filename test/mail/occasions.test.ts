import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { recordTransfer } from '../../src/domain/payments/matching/match.ts';
import { watchAddresses } from '../../src/domain/payments/transfers/watched.ts';
import { changeSubscriptions } from '../../src/domain/recurring/subscriptions/change-subscriptions.ts';
import { configuredRates } from '../../src/domain/shop/fx/usd-per-token.ts';
import { recordEndpointResults } from '../../src/domain/webhooks/endpoints/results.ts';
import { NOTICE_NAMES, type Notice } from '../../src/domain/webhooks/mail/kinds.ts';
import { tokenOf } from '../support/subscriber.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
beforeAll(async () => {
  world = await openMailShop();
});
afterAll(() => world.stop());

/** Members of these roles, each with all notices at an address of its role, though not every role covers them. */
const ROLES = ['manager', 'bookkeeper', 'developer', 'cashier'] as const;

beforeEach(async () => {
  await world.empty('mail_preferences');
  await world.run('delete from merchant_members where merchant = ?', [world.shop.wallet]);
  for (const [at, role] of [...ROLES, 'manager'].entries()) {
    const wallet = `0x${String(at + 1).repeat(40)}`;
    await world.run('insert into merchant_members (merchant, wallet, role, created_at) values (?, ?, ?, 1)', [
      world.shop.wallet,
      wallet,
      role,
    ]);
    await world.run(
      `insert into mail_preferences (merchant, wallet, email, language, notices, confirmed_at, updated_at)
       values (?, ?, ?, 'en', ?, 1, 1)`,
      // The second manager has chosen nothing.
      [world.shop.wallet, wallet, `${role}@example.com`, at < ROLES.length ? `{${NOTICE_NAMES}}` : '{}'],
    );
  }
});

const merchantOf = () => world.shop.wallet;

/** Makes each occasion happen as the product does, twice within the hour. */
const OCCASIONS: Readonly<Record<Exclude<Notice, 'refund_requested'>, () => Promise<void>>> = {
  async endpoint_disabled() {
    for (const id of ['we1', 'we2']) {
      await world.run(
        `insert into webhook_endpoints (merchant, id, url, description, kinds, sealed_secret, previous_secrets, state,
           failing_since, enabled_at, created_at, updated_at)
         values (?, ?, 'https://x.example', '', '{*}', '', '[]', 'enabled', 1, 1, 1, 1)`,
        [merchantOf(), id],
      );
      await recordEndpointResults(world.deps, [
        { delivery: { merchant: merchantOf(), endpointId: id }, result: { ok: false, at: world.now.ms } },
      ]);
    }
  },
  async low_stock() {
    for (const sku of ['A', 'B']) {
      const answer = await world.server.call('POST', '/api/inventory', {
        headers: world.shop.auth,
        body: { sku, name: sku, priceUsd: 10, stockQty: 7, taxable: false },
      });
      expect(answer.status).toBeLessThan(300);
      const order = await world.server.call('POST', '/api/orders', {
        headers: world.shop.auth,
        body: { items: [{ sku, qty: 4 }] },
      });
      await world.move(order.body.receipt.receiptId, 'pending', 'tx_mined', 'paid');
    }
  },
  async past_due() {
    for (const id of ['sub1', 'sub2']) {
      await world.run(
        `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
           permission_hash, sealed_signature, status, created_at, updated_at)
         values (?, ?, 'p', ?, 5, 'WEEKLY', 1, ?, '{}', ?, '', 'active', 1, 1)`,
        [merchantOf(), id, merchantOf(), merchantOf(), id],
      );
      const change = {
        merchant: merchantOf(),
        subscriptionId: id,
        at: 1,
        failure: 'x',
        nextChargeAt: world.now.ms + 1,
      };
      await world.deps.db.transaction((uow) => changeSubscriptions(world.deps, uow, 'chargeFailed', [change]));
    }
  },
  async unmatched() {
    const watched = watchAddresses(world.deps);
    await watched.refresh();
    const deps = {
      ...world.deps,
      readRate: configuredRates(world.deps),
      watched,
      createShares: async () => {},
    };
    for (const logIndex of [0, 1])
      expect(
        await recordTransfer(deps, {
          ...{ blockNumber: 1n, blockHash: `0x${'b'.repeat(64)}`, blockTimeMs: world.now.ms },
          ...{ transactionHash: `0x${'a'.repeat(64)}`, logIndex, tokenAddress: tokenOf(world.server, 'USDC') },
          ...{ symbol: 'USDC', from: `0x${'9'.repeat(40)}` as Wallet, to: world.shop.split!, value: 5_000_000n },
        }),
      ).toBe(true);
  },
};

const RECEIVERS: Readonly<Record<keyof typeof OCCASIONS, readonly string[]>> = {
  endpoint_disabled: ['developer', 'manager'],
  low_stock: ['bookkeeper', 'manager'],
  past_due: ['bookkeeper', 'manager'],
  unmatched: ['bookkeeper', 'manager'],
};

test.each(Object.keys(OCCASIONS) as (keyof typeof OCCASIONS)[])(
  '%s: each member with the right and the choice gets one message that counts both occasions, and the others none',
  async (notice) => {
    await OCCASIONS[notice]();
    await world.dueNow();
    world.work();
    await world.until((mails) => mails.length > 0 && mails.every(({ state }) => state === 'sent'));
    const mails = await world.mails();
    expect(mails.every(({ kind }) => kind === notice)).toBe(true);
    expect(world.smtp.arrived.map(({ to }) => to[0]!.split('@')[0]!).sort()).toEqual(RECEIVERS[notice]);
    for (const { mail } of world.smtp.arrived) expect(mail.subject).toMatch(/^Café Müller: 2 /);
  },
);
