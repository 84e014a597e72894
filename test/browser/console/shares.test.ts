import { expect, test } from 'vitest';
import { newAccount } from '../../support/server.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, openSignedOut, PLACES } from './inside.ts';

/** The wallet of the operator, who has a shop too. */
const host = newAccount();
const scene = await openScene({ env: { PLATFORM_RECIPIENT: host.address } });
const { shop } = scene;
const partner = `0x${'7'.repeat(40)}`;

test.each(PLACES)(
  'on $where a change of who is paid is found in the navigation, shown before, signed for, and said to be done',
  async ({ options, most }) => {
    const merchant = await shop.merchant();
    const asked: string[] = [];
    const onAsk = (method: string) => void asked.push(method);
    const page = await openInside(scene, merchant.account, '/console', { ...options, wallet: { onAsk } });
    const clicks = await countClicks(page);
    await goTo(page, 'Who is paid');
    await page.getByRole('button', { name: 'Add a recipient' }).click();
    await page.getByLabel('Recipient 1: wallet').fill(partner);
    await page.getByLabel('Recipient 1: %').fill('12,5');
    await page.getByRole('button', { name: 'Change the shares' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('99.5 % → 87 %').waitFor();
    await dialog.getByText('0 % → 12.5 %').waitFor();
    await dialog.getByText('The operator of this server').waitFor();
    await dialog.getByText('count for payments that are quoted from now on').waitFor();
    await expectWellMade(page);
    const before = asked.length;
    await dialog.getByRole('button', { name: 'Sign and change' }).click();
    await page.getByText('Done: the new shares count from now on.').waitFor();
    expect(asked.slice(before).some((method) => /sign/i.test(method))).toBe(true);
    expect(await clicks()).toBeLessThanOrEqual(most);
    await expect.poll(() => page.getByLabel('Recipient 1: %').inputValue()).toBe('12.5');
    await expectWellMade(page);
  },
);

test('a shop whose wallet is also the operator’s sets its shares, and gives a part of them to a partner', async () => {
  const page = await openSignedOut(scene, host);
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByLabel('Name of the shop').fill('Own Server');
  await page.getByRole('button', { name: 'Register the shop' }).click();
  await page.waitForURL(`${shop.server.url}/console/start?step=name`);
  await page.goto(`${shop.server.url}/console/start?step=split`);
  await page.getByRole('button', { name: 'Set up the shares' }).click();
  await page.getByRole('heading', { level: 2, name: 'First product' }).waitFor();
  await page.goto(`${shop.server.url}/console/shares`);
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  await page.getByLabel('Recipient 1: wallet').fill(partner);
  await page.getByLabel('Recipient 1: %').fill('10');
  await page.getByRole('button', { name: 'Change the shares' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and change' }).click();
  await page.getByText('Done: the new shares count from now on.').waitFor();
  const { body } = await shop.server.call('POST', '/api/graphql', {
    headers: await shop.server.signIn(host),
    body: { query: '{ split { recipients { address sharesBps } } }' },
  });
  const shares = body.data.split.recipients.map((one: { address: string; sharesBps: number }) => [
    one.address,
    one.sharesBps,
  ]);
  expect(Object.fromEntries(shares)).toEqual({ [host.address.toLowerCase()]: 9_000, [partner]: 1_000 });
});

test('without the signature nothing changes', async () => {
  const merchant = await shop.merchant();
  const page = await openInside(scene, merchant.account, '/console/shares');
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  await page.getByLabel('Recipient 1: wallet').fill(partner);
  await page.getByLabel('Recipient 1: %').fill('10');
  await page.getByRole('button', { name: 'Change the shares' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Add a recipient' }).waitFor();
  expect(await page.getByLabel('Recipient 1: wallet').count()).toBe(0);
});
