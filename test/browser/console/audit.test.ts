import { expect, test } from 'vitest';
import { newAccount } from '../../support/server.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

const DAY_MS = 86_400_000;

let aheadMs = -10 * DAY_MS;
const scene = await openScene({ clock: () => Date.now() + aheadMs });
const { shop } = scene;
const merchant = await shop.merchant();
const partner = newAccount();

async function run(account: typeof partner, query: string) {
  const headers = await shop.server.signIn(account);
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const setShares = (account: typeof partner, own: number) =>
  run(
    account,
    `mutation { replaceSplit(input: { recipients: [
      { address: "${merchant.wallet}", sharesBps: ${own} },
      { address: "0x${'a'.repeat(40)}", sharesBps: ${9_950 - own} }] }) { address } }`,
  );

// Ten days ago the owner chose the shares and invited a partner, who changed them three days ago.
await setShares(merchant.account, 9_400);
const { inviteMember } = await run(
  merchant.account,
  'mutation { inviteMember(role: owner, label: "Grace") { token } }',
);
await run(partner, `mutation { acceptInvitation(token: "${inviteMember.token}") { merchant } }`);
await run(merchant.account, 'mutation { updateShopConfig(input: { name: "Old Mill" }) { name } }');
aheadMs = -3 * DAY_MS;
await setShares(partner, 9_000);
aheadMs = 0;
await run(merchant.account, 'mutation { updateShopConfig(input: { name: "New Mill" }) { name } }');

for (const { where, options, most } of PLACES)
  test(`on ${where} the one who changed the split last week is found, with each share before and after`, async () => {
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Audit log');
    await page.getByRole('combobox', { name: 'What' }).selectOption('Split replaced');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days');
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('Grace').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    await page.getByRole('link', { name: 'Split replaced' }).click();
    const dialog = page.getByRole('dialog', { name: 'Split replaced' });
    const changes = dialog.getByRole('list', { name: 'What changed' });
    await changes.waitFor();
    const share = changes.getByRole('listitem').filter({ hasText: 'You › Share' });
    expect(await share.innerText()).toMatch(/Share\s+Before\s+94%\s+After\s+90%/);
    // The page fits every width, whatever it was opened with.
    if (options !== phone) await expectWellMade(page);
    // The address carries the filter and the opened entry.
    await page.reload();
    await dialog.getByText('Grace').waitFor();
  });

test('a new change appears by itself, and the filters lead to one caller and to one object', async () => {
  const page = await openInside(scene, merchant.account, '/console/audit');
  const list = page.getByRole('list', { name: 'Audit log' });
  await list.getByRole('listitem').first().waitFor();
  const before = await list.getByRole('listitem').count();
  await run(merchant.account, 'mutation { updateShopConfig(input: { bio: "Flour" }) { name } }');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(before + 1);
  await list.getByRole('link', { name: 'Shop changed' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Shop changed' });
  await dialog.getByText('Flour').waitFor();
  await dialog.getByRole('link', { name: 'All changes by this caller' }).click();
  await page.waitForURL(/who=wallet/);
  const shown = () => list.locator('.audit-actor').allInnerTexts();
  await expect.poll(async () => [...new Set(await shown())]).toEqual(['You']);
  await list.getByRole('link', { name: 'Shop changed' }).first().click();
  await dialog.getByRole('link', { name: 'All changes of this object' }).click();
  await page.getByText('Only changes of:').waitFor();
  const actions = () => list.locator('.row-link').allInnerTexts();
  await expect.poll(async () => [...new Set(await actions())]).toEqual(['Shop changed']);
  await expectWellMade(page);
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(before + 1);
  await page.getByRole('combobox', { name: 'What' }).selectOption('All of: Exports');
  await page.getByText('No change matches').waitFor();
});

test('the operator of the server stands in a change of the shares by name, not as an address', async () => {
  const asker = await shop.merchant();
  await run(
    asker.account,
    `mutation { replaceSplit(input: { recipients: [{ address: "${asker.wallet}", sharesBps: 9800 }, { address: "${shop.server.deps.settings.platformRecipient}", sharesBps: 200 }] }) { address } }`,
  );
  const page = await openInside(scene, asker.account, '/console/audit');
  await page.getByRole('link', { name: 'Split replaced' }).click();
  const changes = page.getByRole('dialog').getByRole('list', { name: 'What changed' });
  await changes.getByText('The operator of this server › Share').waitFor();
  await changes.getByText('You › Share').waitFor();
});

test('a state stands in the audit log in the word that the receipt has, and a role by its name', async () => {
  const seller = await shop.merchant();
  const order = await shop.order(seller);
  await run(seller.account, `mutation { voidReceipt(receiptId: "${order.receiptId}") { status } }`);
  await run(seller.account, 'mutation { inviteMember(role: bookkeeper, label: "Ada") { token } }');
  const page = await openInside(scene, seller.account, '/console/audit');
  await page.getByRole('link', { name: 'Receipt voided' }).click();
  const changes = page.getByRole('dialog').getByRole('list', { name: 'What changed' });
  await changes.getByText('Created', { exact: true }).waitFor();
  await changes.getByText('Ended', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Person invited' }).click();
  await changes.getByText('Bookkeeper', { exact: true }).waitFor();
  await page.goto(`${shop.server.url}/console/receipts`);
  await page.locator('.receipt-row .status', { hasText: 'Ended' }).waitFor();
});
