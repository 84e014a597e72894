import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../support/program.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES, voidAsMerchant } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();
const receiver = await openReceiver();

/** A merchant's server that is broken until it is mended. */
async function openReceiver() {
  const bodies: string[] = [];
  let status = 500;
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(status).end(status === 500 ? 'out of coffee' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    bodies,
    mend() {
      status = 204;
    },
    breakAgain() {
      status = 500;
      bodies.length = 0;
    },
  };
}

test.each(PLACES)('on $where a merchant sees why a webhook failed, and sends it again', async ({ options, most }) => {
  const merchant = await shop.merchant();
  receiver.breakAgain();
  const { receiptId } = await shop.order(merchant, { webhookUrl: receiver.url });
  await voidAsMerchant(shop.server, merchant, receiptId);
  const page = await openInside(scene, merchant.account, '/console', options);
  await until(async () => {
    await page.goto(`${shop.server.url}/console/webhooks?state=failed`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    return (await page.locator('.delivery-row').count()) > 0;
  });
  await page.goto(`${shop.server.url}/console`);
  const clicks = await countClicks(page);
  await goTo(page, 'Webhooks');
  const row = page.locator('.delivery-row').first();
  await row.locator('.delivery-about').getByText(receiptId).waitFor();
  // The row says what was sent, to whom, and why it failed.
  expect(await row.getByRole('link').textContent()).toBe('Receipt: Failed');
  await row.getByText(`to ${receiver.url.replace('http://', '')}`).waitFor();
  await row.locator('.delivery-about').getByText('It answered with 500').waitFor();
  await page.locator('.delivery-row .row-link').first().click();
  await page.getByText('out of coffee').first().waitFor();
  await page.getByText('Attempt 2').waitFor();
  receiver.mend();
  const before = receiver.bodies.length;
  await page.getByRole('button', { name: 'Send again' }).click();
  await until(() => receiver.bodies.length > before);
  expect(await clicks()).toBeLessThanOrEqual(most);
  await page.reload();
  await page.getByText('Delivered').waitFor();
  expect(receiver.bodies.at(-1)).toBe(receiver.bodies[0]);
  await expectWellMade(page);
});

test('deliveries to the addresses of orders are sent again together, and a shop without an endpoint is led to one', async () => {
  const nothing = 'http://127.0.0.1:9/hooks';
  const owner = await shop.merchant();
  const placed = await Promise.all([1, 2].map(() => shop.order(owner, { webhookUrl: nothing })));
  for (const { receiptId } of placed) await voidAsMerchant(shop.server, owner, receiptId);
  const page = await openInside(scene, owner.account, '/console/webhooks');
  await until(async () => {
    await page.goto(`${shop.server.url}/console/webhooks?state=failed`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    return (await page.locator('.delivery-row').count()) === 2;
  });
  await page.getByText('No answer at this address').first().waitFor();
  expect(await page.getByText('ECONNREFUSED').count()).toBe(0);
  await page.getByRole('link', { name: 'Add the first endpoint' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('link', { name: 'Send all failed again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send all failed again' }).click();
  await page.getByText('2 deliveries are sent again.').waitFor();
  await page.getByLabel('Show').selectOption('Delivered');
  await page.getByText('No delivery here').waitFor();
  await page.getByRole('link', { name: 'Show all deliveries' }).click();
  await page.locator('.delivery-row .row-link').first().click();
  await page.getByText('An endpoint receives the events of all orders.').waitFor();
  await page.getByRole('link', { name: 'Add endpoint' }).click();
  await page.getByRole('dialog').getByLabel('Address').waitFor();
});

test('an endpoint is added with its events, shows its secret once, is tested, edited, switched off and deleted', async () => {
  receiver.mend();
  const page = await openInside(scene, merchant.account, '/console/webhooks', phone);
  await page.getByRole('link', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('ftp://nowhere');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Note').fill('warehouse');
  await dialog.getByRole('checkbox', { name: 'Refunds' }).click();
  await expectWellMade(page);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByText('Receipts, Refunds').waitFor();
  expect(await page.content()).not.toContain('whsec_');
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Accepted: answer 204').waitFor();
  expect(JSON.parse(receiver.bodies.at(-1)!).type).toBe('ping');
  await page.getByRole('heading', { level: 1, name: 'warehouse' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('shipping');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('shipping').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No endpoint yet').waitFor();
});
