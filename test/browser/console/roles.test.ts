import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { MEMBER_ROLES, type MemberRole, type Permission, permissionsOf } from '../../../src/base/core/roles.ts';
import { PAGES } from '../../../src/doors/pages/console/app/registry.ts';
import { newAccount } from '../../support/server.ts';
import { makePlan, subscribe, subscriptionBody, walletOf } from '../../support/subscriber.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const { server } = shop;
const merchant = await shop.merchant();
const run = (text: string, values: readonly unknown[]) =>
  server.deps.db.orm.em.fork().getConnection().execute(text, values);

const { receiptId } = await shop.order(merchant);
const plan = await makePlan(server, merchant);
const { subscription } = (await subscribe(server, merchant, await subscriptionBody(server, plan))).body;
const { endpointId, deliveryId, keyId } = await openRecords();

/** What the pages show: a wrong amount, its failed webhook, unmatched money, a requested refund, a key that writes. */
async function openRecords() {
  await run("update receipts set status = 'tx_mismatch' where merchant = ? and id = ?", [merchant.wallet, receiptId]);
  await run(
    `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token,
       sender, pay_to, amount, canonical, merchant, receipt_id, usd, exact, seen_at)
     values (?, '0xb', ?, 0, 1, 1, 'USDC', ?, ?, 1000000, true, ?, ?, '1', false, 1)`,
    [
      ...[server.deps.settings.chainId, `0x${'b'.repeat(64)}`, merchant.wallet, merchant.split, merchant.wallet],
      receiptId,
    ],
  );
  await run(
    `insert into webhook_deliveries (id, merchant, receipt_id, seq, url, event, body, state, created_at)
     values ('whd_1', ?, ?, 1, 'https://shop.test/hook', 'receipt.status_updated', '{}', 'failed', ?)`,
    [merchant.wallet, receiptId, Date.now()],
  );
  await run(
    `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token,
       sender, pay_to, amount, canonical, merchant, unmatched_reason, exact, seen_at)
     values (?, '0xb', ?, 0, 1, 1, 'USDC', ?, ?, 5000000, true, ?, 'late', false, 1)`,
    [server.deps.settings.chainId, `0x${'a'.repeat(64)}`, merchant.wallet, merchant.split, merchant.wallet],
  );
  await run(
    `insert into refunds (merchant, receipt_id, id, state, usd_cents, proven_cents, buyer, items, transaction_hashes,
       actor, created_at)
     values (?, ?, 'ref_1', 'requested', 500, 0, ?, '[]', '{}', 'merchant', 1)`,
    [merchant.wallet, receiptId, merchant.wallet],
  );
  const headers = await server.signIn(merchant.account);
  const query = `mutation {
    createWebhookEndpoint(input: { url: "https://shop.test/hooks", kinds: ["*"], enabled: false }) { endpoint { id } }
    issueKey(input: { scopes: [orders_create], label: "Web shop" }) { key { keyId } } }`;
  const { body } = await server.call('POST', '/api/graphql', { headers, body: { query } });
  const { createWebhookEndpoint, issueKey } = body.data;
  return { endpointId: createWebhookEndpoint.endpoint.id, deliveryId: 'whd_1', keyId: issueKey.key.keyId };
}

interface Walked {
  /** What follows the path. */
  readonly query?: string;
  /** A text that the page shows to every role once it has read its data. */
  readonly shows: string;
  /** The buttons, links and fields that write or export, each with the permission that the server asks for. */
  readonly does: Readonly<Record<string, Permission>>;
}

/** What is done on each page of which a part needs more than the page itself. */
const PARTS: Readonly<Record<string, Walked>> = {
  receipts: { shows: 'Stoneware mug', does: { Export: 'reports' } },
  receipt: { shows: 'History', does: { 'Accept payment': 'money', Void: 'money', 'Send again': 'webhooks' } },
  unmatched: { shows: '5 USDC', does: { 'Return to sender': 'money', 'Assign to': 'money' } },
  refunds: { shows: '$5.00', does: { 'Send 1 refund': 'money', 'Send the refund of': 'money' } },
  catalog: {
    shows: 'Stoneware mug',
    does: {
      Import: 'catalog:write',
      'Add product': 'catalog:write',
      'Stoneware mug': 'catalog:write',
      'Price of Stoneware mug': 'catalog:write',
      'Stock of Stoneware mug': 'catalog:write',
    },
  },
  plans: { shows: 'Coffee club', does: { 'Make a plan': 'plans:write' } },
  plan: { shows: 'A bag of beans', does: { 'Edit plan': 'plans:write', 'Take no new': 'plans:write' } },
  subscription: { shows: 'Charges', does: { 'End this subscription': 'plans:write' } },
  developers: {
    query: `?do=key&on=${keyId}`,
    shows: 'Place orders',
    does: { 'Replace the key': 'keys:write', 'Revoke the key': 'keys' },
  },
  people: { shows: 'What each role may do', does: { Invite: 'members', 'Change:': 'members' } },
};

const VARIABLE: Readonly<Record<string, string>> = {
  ...{ receiptId, endpointId, deliveryId },
  ...{ planId: plan.planId, subscriptionId: subscription.subscriptionId },
};

/** Goes to a page as a link does, within the document. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href });
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
}

/** What a person can use on the page under a name. */
function named(page: Page, name: string): Locator {
  const content = page.locator('.content');
  const roles = ['button', 'textbox', 'checkbox'] as const;
  return roles.reduce((any, role) => any.or(content.getByRole(role, { name })), content.getByRole('link', { name }));
}

test.each(Object.keys(MEMBER_ROLES) as MemberRole[])(
  'the pages show the role %s what it may do, and nothing that the server refuses',
  async (role) => {
    const member = newAccount();
    await run(
      'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
      [merchant.wallet, walletOf(member), role, Date.now(), merchant.wallet],
    );
    // A cashier reads the receipts that it created.
    await run('update receipts set created_by = ? where merchant = ?', [walletOf(member), merchant.wallet]);
    const permissions = permissionsOf(role);
    const page = await openInside(scene, member, '/console/account');
    const refused: string[] = [];
    page.on('response', async (response) => {
      if (!response.url().endsWith('/api/graphql')) return;
      const text = await response.text().catch(() => '');
      if (text.includes('"code":"forbidden"')) refused.push(`${new URL(page.url()).pathname}: ${text}`);
    });
    for (const { name, path, permission } of PAGES.filter((each) => each.path !== '/console/join')) {
      const { query = '', shows, does = {} }: Partial<Walked> = PARTS[name] ?? {};
      const may = permission === null || permissions.has(permission.replace('_', ':') as Permission);
      // The first page leads a role without it to another one.
      if (name === 'home' && !may) continue;
      await follow(page, path.replace(/:(\w+)/g, (_, part: string) => VARIABLE[part]!) + query);
      if (!may) {
        await page.getByText('Your role does not include this page').waitFor();
        continue;
      }
      await page.locator('main h1').waitFor();
      if (shows) await page.locator('.content').getByText(shows).first().waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), { timeout: 30_000 }).toBe(0);
      for (const [part, needed] of Object.entries(does)) {
        if (permissions.has(needed)) await named(page, part).first().waitFor();
        else expect(await named(page, part).count(), `${part} on ${name}`).toBe(0);
      }
    }
    expect(refused).toEqual([]);
  },
  240_000,
);
