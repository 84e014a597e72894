import { expect, test } from 'vitest';
import { newAccount } from '../../support/server.ts';
import { expectWellMade, phone, reaches } from '../browser.ts';
import { openScene } from '../scene.ts';
import { WalletError } from '../wallet.ts';
import { countClicks, goTo, openInside, openSignedOut, PLACES } from './inside.ts';

let aheadMs = 0;
const scene = await openScene({ clock: () => Date.now() + aheadMs });
const { shop } = scene;
const merchant = await shop.merchant('Kaldi');

const database = () => shop.server.deps.db.orm.em.fork().getConnection();

/** Lets so much time pass that a signature is not fresh any more. */
const ageSignatures = () => {
  aheadMs += 6 * 60_000;
};

test.each(PLACES)(
  'on $where an owner invites a cashier, who joins with a wallet of its own and sees nothing that its role may not use',
  async ({ options, most }) => {
    const owner = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(owner);
    ageSignatures();
    await goTo(owner, 'People');
    await owner.getByRole('link', { name: 'Invite' }).click();
    await owner.getByRole('textbox', { name: 'Name' }).fill('Ada at the till');
    await expectWellMade(owner);
    await owner.getByRole('button', { name: 'Make a link' }).click();
    const link = await owner.locator('.secret').innerText();
    expect(await clicks()).toBeLessThanOrEqual(most);
    await owner.getByRole('button', { name: 'I have stored it' }).click();
    await owner.getByRole('list', { name: 'Open invitations' }).getByText('Ada at the till').waitFor();
    expect(await owner.content()).not.toContain(link);

    const cashier = newAccount();
    const { pathname, hash } = new URL(link);
    const theirs = await openSignedOut(scene, cashier, pathname + hash, phone);
    await theirs.getByText('You are invited to a shop').waitFor();
    await theirs.getByRole('button', { name: 'Sign in with browser wallet' }).click();
    await theirs.getByRole('heading', { name: 'Join Kaldi' }).waitFor();
    await theirs.getByText('Takes payments at the till.').waitFor();
    await expectWellMade(theirs);
    await theirs.getByRole('button', { name: 'Accept' }).click();
    await theirs.locator('.frame').waitFor();
    expect(await theirs.locator('.side .nav a').allTextContents()).toEqual(['Till']);
    // The till of a phone has no navigation beside the way back, which leads a cashier to the own account.
    await theirs.getByRole('link', { name: 'Your account' }).last().click();
    await theirs.getByRole('heading', { name: 'Your account' }).waitFor();
    await theirs.goto(`${shop.server.url}/console/people`);
    await theirs.getByText('Your role does not include this page').waitFor();
    await expectWellMade(theirs);

    await owner.reload();
    const members = owner.getByRole('list', { name: 'Members' });
    await members.getByText('Ada at the till').waitFor();
    await expectWellMade(owner);
    await owner.getByRole('button', { name: 'Change: Ada at the till' }).click();
    await owner.getByRole('radio', { name: 'Manager' }).click();
    await owner.getByRole('button', { name: 'Save' }).click();
    await members.getByText('Manager').waitFor();
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'People' }).waitFor();
    await theirs.getByText('Ada at the till').first().waitFor();
    expect(await theirs.getByRole('link', { name: 'Invite' }).count()).toBe(0);
    await owner.getByRole('button', { name: 'Change: Ada at the till' }).click();
    await owner.getByRole('button', { name: 'Remove' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => members.getByRole('listitem').count()).toBe(1);
    await reaches(theirs, 'no-shop');
  },
);

test('a change of rights asks the wallet for a fresh signature; declined, it changes nothing and says so', async () => {
  let declines = false;
  const sign = (typedData: unknown) =>
    declines
      ? Promise.reject(new WalletError(4001, 'User rejected the request.'))
      : merchant.account.signTypedData(typedData as never);
  const page = await openInside(scene, merchant.account, '/console/people', { wallet: { sign } });
  ageSignatures();
  declines = true;
  await page.getByRole('link', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByText('You declined the signature in your wallet. Nothing was changed.').waitFor();
  declines = false;
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.locator('.secret').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => page.getByRole('list', { name: 'Open invitations' }).count()).toBe(0);
});

test('a wallet sees where it is signed in, ends sessions there, changes between its shops, and leaves one', async () => {
  const other = await shop.merchant('Second Shop', { name: 'Second Shop' });
  await database().execute(
    'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
    [other.wallet, merchant.wallet, 'bookkeeper', Date.now(), other.wallet],
  );
  const elsewhere = await openInside(scene, merchant.account, '/console/receipts', { denied: /401|403|WebSocket/ });
  const page = await openInside(scene, merchant.account);
  await page
    .getByRole('link', { name: /^Your account/ })
    .first()
    .click();
  const sessions = page.getByRole('list', { name: 'Where you are signed in' });
  await sessions.getByText('This browser').waitFor();
  await expectWellMade(page);
  const before = await sessions.getByRole('listitem').count();
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before - 1);
  await reaches(elsewhere, 'ended', 20_000);
  await page.getByRole('button', { name: 'Open: Second Shop' }).click();
  await page.locator('.side').getByText('Second Shop').waitFor();
  await page.locator('.side').getByText('Bookkeeper').waitFor();

  const third = await shop.server.signIn(merchant.account);
  await page
    .getByRole('link', { name: /^Your account/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.poll(() => sessions.getByRole('listitem').count(), { timeout: 30_000 }).toBe(1);
  const { body } = await shop.server.call('POST', '/api/graphql', {
    headers: third,
    body: { query: '{ me { wallet } }' },
  });
  expect(body.data?.me ?? null).toBeNull();

  await page.getByRole('button', { name: 'Leave this shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave this shop' }).click();
  await reaches(page, 'no-shop', 30_000);
  const left = await database().execute('select 1 from merchant_members where merchant = ? and wallet = ?', [
    other.wallet,
    merchant.wallet,
  ]);
  expect(left).toEqual([]);
});

test('the only owner of a shop with members reads whom to make an owner first, and alone nothing of leaving', async () => {
  const sole = await shop.merchant('Sole Owner');
  const page = await openInside(scene, sole.account, '/console/account');
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  expect(await page.getByText('Leave this shop').count()).toBe(0);
  await database().execute(
    'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
    [sole.wallet, newAccount().address.toLowerCase(), 'cashier', Date.now(), sole.wallet],
  );
  await page.reload();
  await page.getByText('You are the only owner. Give another member this role first').waitFor();
  expect(await page.getByRole('button', { name: 'Leave this shop' }).count()).toBe(0);
  await page.locator('.section').getByRole('link', { name: 'People' }).click();
  await page.waitForURL(`${shop.server.url}/console/people`);
});
