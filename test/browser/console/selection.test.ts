import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside, voidAsMerchant } from './inside.ts';

const scene = await openScene();
const { shop } = scene;

test('many receipts are voided at once, and the one that was paid meanwhile is named and stays', async () => {
  const merchant = await shop.merchant();
  const orderOf = (lastName: string) =>
    shop.order(merchant, { firstName: 'Ms', lastName, email: `${lastName}@example.com` });
  const orders = [await orderOf('Lovelace'), await orderOf('Hopper'), await orderOf('Hamilton')] as const;
  const page = await openInside(scene, merchant.account, '/console/receipts');
  for (const name of ['Lovelace', 'Hopper', 'Hamilton'])
    await page.getByRole('checkbox', { name: new RegExp(`^Choose .*${name}`) }).check();
  await expectWellMade(page);
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const quote = `mutation { quotePayment(receiptId: "${orders[1].receiptId}", token: "USDC") { payTo amount } }`;
  const headers = await shop.server.signIn(merchant.account);
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query: quote } });
  await shop.transfer(account, 'USDC', body.data.quotePayment.payTo, BigInt(body.data.quotePayment.amount));
  const PAID = expect.stringMatching(/^(tx_mined|paid|completed)$/);
  await expect.poll(() => orders[1].status(), { timeout: 30_000 }).toEqual(PAID);
  await page.getByRole('button', { name: 'Void 3 receipts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void 3 receipts' });
  await dialog.getByText('This cannot be undone.').waitFor();
  await dialog.getByRole('button', { name: 'Void 3 receipts' }).click();
  await page.getByRole('alert').getByText('Ms Hopper').waitFor();
  await page.getByRole('button', { name: 'Void 1 receipt' }).waitFor();
  expect(await orders[0].status()).toBe('failed');
  expect(await orders[2].status()).toBe('failed');
  expect(await orders[1].status()).toEqual(PAID);
  await page.locator('.receipt-row .status', { hasText: 'Ended' }).nth(1).waitFor();
});

test('chosen receipts are exported, and no others, whatever state they are in', async () => {
  const merchant = await shop.merchant();
  const orderOf = (lastName: string) => shop.order(merchant, { firstName: 'Ms', lastName });
  const orders = [await orderOf('Noether'), await orderOf('Curie'), await orderOf('Meitner')] as const;
  await voidAsMerchant(shop.server, merchant, orders[0].receiptId);
  const page = await openInside(scene, merchant.account, '/console/receipts');
  for (const name of ['Noether', 'Meitner'])
    await page.getByRole('checkbox', { name: new RegExp(`^Choose .*${name}`) }).check();
  // What has ended can be exported, and not voided.
  await page.getByRole('button', { name: 'Void 1 receipt' }).waitFor();
  await page.getByRole('button', { name: 'Export 2 receipts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export 2 receipts' });
  await expectWellMade(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ]);
  const rows: Record<string, string>[] = parse(readFileSync(await file.path(), 'utf8'), { columns: true });
  expect(rows.map(({ receiptId }) => receiptId).sort()).toEqual([orders[0].receiptId, orders[2].receiptId].sort());
});

test('chosen deliveries are sent again in one go, on a phone too', async () => {
  const merchant = await shop.merchant();
  for (let n = 0; n < 2; n += 1) {
    const { receiptId } = await shop.order(merchant, { webhookUrl: 'http://localhost:9/hook' });
    await voidAsMerchant(shop.server, merchant, receiptId);
  }
  const page = await openInside(scene, merchant.account, '/console/webhooks?state=failed', phone);
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator('.delivery-row, .empty').first().waitFor();
        return page.locator('.select-row').count();
      },
      { timeout: 60_000 },
    )
    .toBe(2);
  for (const box of await page.locator('.select-row input').all()) await box.check();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Send 2 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2 again' }).click();
  await page.getByRole('region', { name: 'Chosen rows' }).waitFor({ state: 'detached' });
  const query = '{ auditLog(filter: { actions: [webhook_replayed] }) { nodes { objectType } } }';
  const headers = await shop.server.signIn(merchant.account);
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
  expect(body.data.auditLog.nodes).toHaveLength(2);
});
