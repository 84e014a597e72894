import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { openRelay } from '../support/relay.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { expectWellMade, openBrowser, type Visit, visit } from './browser.ts';

/** Time limit for an update of the page. */
const SOON = { timeout: 30_000 };
/** A page that was cut off has this long to be in step again. */
const AGAIN = { timeout: 30_000 };
const UPSERT = 'mutation ($input: UserInput!) { upsertUser(input: $input) { wallet } }';
const SET = `mutation ($live: Boolean!, $spacePublic: Boolean, $platform: String, $spaceUrl: String) {
  setPresence(live: $live, spacePublic: $spacePublic, platform: $platform, spaceUrl: $spaceUrl) { wallet } }`;
const BOMB = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const SHOWN = { live: true, spacePublic: true, platform: 'web', spaceUrl: 'https://space.example/room' };

/** Two servers of one site: people act on one, pages are open on the other. */
let near: TestServer;
let far: TestServer;
let database: Awaited<ReturnType<typeof createDatabase>>;
let browser: Browser;
beforeAll(async () => {
  database = await createDatabase();
  const { databaseUrl } = database;
  near = await startTestServer({ databaseUrl, redis: true });
  [far, browser] = await Promise.all([startTestServer({ databaseUrl, redis: true }), openBrowser()]);
});
afterAll(async () => {
  await near?.stop();
  await far?.stop();
  await database?.drop();
});

/** Somebody with a session of their own, on the far server. */
async function somebody(input: object = {}) {
  const account = newAccount();
  const headers = await far.signIn(account);
  const ask = async (query: string, variables: object) => {
    const { body } = await far.call('POST', '/api/graphql', { headers, body: { query, variables } });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
  };
  const says = (profile: object) => ask(UPSERT, { input: profile });
  await says(input);
  return {
    wallet: account.address.toLowerCase(),
    says,
    comes: (presence: object = {}) => ask(SET, { ...SHOWN, ...presence }),
    goes: () => ask(SET, { live: false }),
  };
}

const open = (options: Visit & { at?: string } = {}): Promise<Page> =>
  visit(browser, `${options.at ?? near.url}/live`, options);
const cardOf = (page: Page, { wallet }: { wallet: string }) => page.locator(`[data-key="${wallet}"]`);
const shownOn = (page: Page) => page.locator('.person h2').allInnerTexts();
const sql = (text: string, params: readonly unknown[] = []) =>
  near.deps.db.orm.em.fork().getConnection().execute(text, params);
const endAllPresence = () => sql('update users set live = false, live_since = null, version = version + 1 where live');

test('people come, change and go on the open page within two seconds, whichever process they are at, each of them once', async () => {
  await endAllPresence();
  const page = await open({ reducedMotion: 'no-preference' });
  await page.getByText('No one is live at the moment').waitFor();
  await expectWellMade(page);
  const [ada, bob] = [await somebody({ displayName: 'Ada', languages: ['en', 'fr'] }), await somebody()];

  await ada.comes();
  await cardOf(page, ada).getByRole('heading', { name: 'Ada' }).waitFor(SOON);
  expect(await cardOf(page, ada).innerText()).toMatch(/web\s+speaks\s+en, fr\s+Just went live\s+Visit/);
  expect(await cardOf(page, ada).getByRole('link').getAttribute('href')).toBe(SHOWN.spaceUrl);
  expect(await page.getByText('No one is live at the moment').isVisible()).toBe(false);

  await bob.comes({ spaceUrl: '' });
  await cardOf(page, bob).waitFor(SOON);
  expect(await cardOf(page, bob).getByRole('link').count()).toBe(0);
  // Who came last comes first; without a name the wallet is the name.
  expect(await shownOn(page)).toEqual([expect.stringMatching(/^0x.*…/), 'Ada']);
  expect(await page.locator('#count').innerText()).toBe('2 people');
  await expectWellMade(page);

  await bob.says({ displayName: 'Bob' });
  await cardOf(page, bob).getByRole('heading', { name: 'Bob' }).waitFor(SOON);
  await ada.goes();
  await cardOf(page, ada).waitFor({ state: 'detached', ...SOON });
  expect(await page.locator('#count').innerText()).toBe('1 person');
  await page.locator('#announcer').getByText('Ada is gone.').waitFor({ state: 'attached', timeout: 30_000 });
  await bob.comes({ spacePublic: false });
  await cardOf(page, bob).waitFor({ state: 'detached', ...SOON });
  await page.getByText('No one is live at the moment').waitFor();
  await expect.poll(() => page.locator('.person').count()).toBe(0);
});

test('a page whose socket is cut catches up by itself: users who left are gone, users who joined are there, none is listed twice', async () => {
  await endAllPresence();
  const relay = await openRelay(near.url);
  const [ada, bob, cleo] = [
    await somebody({ displayName: 'Ada' }),
    await somebody({ displayName: 'Bob' }),
    await somebody({ displayName: 'Cleo' }),
  ];
  await ada.comes();
  await bob.comes();
  // While it is cut off the browser complains, as it should.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${relay.url}live`);
  await page.locator('html.js').waitFor();
  expect(await shownOn(page)).toEqual(['Bob', 'Ada']);
  const loaded = await page.evaluate(() => performance.timeOrigin);

  for (const [leaves, comes] of [
    [ada, cleo],
    [cleo, ada],
  ] as const) {
    await expect.poll(() => page.locator('#line').isVisible()).toBe(false);
    await relay.cut();
    await page.getByText('Reconnecting…').waitFor({ timeout: 30_000 });
    await leaves.goes();
    await comes.comes();
    await relay.mend();
    await cardOf(page, comes).waitFor(AGAIN);
    await cardOf(page, leaves).waitFor({ state: 'detached', ...AGAIN });
    expect(await page.locator('[data-key]').count()).toBe(2);
    expect(await page.locator('#count').innerText()).toBe('2 people');
    expect(await cardOf(page, bob).count()).toBe(1);
  }
  await bob.says({ displayName: 'Bob again' });
  await cardOf(page, bob).getByRole('heading', { name: 'Bob again' }).waitFor(SOON);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  await context.close();
});

test('a page that was left open beyond its token’s time goes on with a new one', async () => {
  await endAllPresence();
  const relay = await openRelay(near.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${relay.url}live`);
  await page.getByText('No one is live at the moment').waitFor();
  // A token that is worth nothing, as one is after its time.
  await page.evaluate(() => {
    document.querySelector<HTMLMetaElement>('meta[name="page-token"]')!.content = 'a.b.c';
  });
  await relay.cut();
  await relay.mend();
  const ada = await somebody({ displayName: 'Ada' });
  await ada.comes();
  await cardOf(page, ada).waitFor(AGAIN);
  await context.close();
});

test('markup in a name is text, an address that is not https is no link, and no picture comes from elsewhere', async () => {
  await endAllPresence();
  const [mallory, eve] = [
    await somebody({ displayName: BOMB, languages: [BOMB.slice(0, 60).replaceAll(',', '')] }),
    await somebody(),
  ];
  await mallory.comes({ platform: '<b>web</b>' });
  // What no mutation takes, but a row might hold.
  const hostile = `update users set live = true, space_public = true, live_since = ?, last_heartbeat = ?, display_name = ?, space_url = ?, pfp_url = ?,
    platform = 'http', version = version + 1 where wallet = ?`;
  const now = Date.now();
  await sql(hostile, [
    now,
    now,
    `${BOMB}'"`,
    'javascript:document.title="owned"',
    'http://pics.example/a.png',
    eve.wallet,
  ]);
  const served = await open({ javaScriptEnabled: false });
  const page = await open();
  await page.locator('html.js').waitFor();
  await eve.says({ bio: 'sent again, by the stream' });
  await expect.poll(() => cardOf(page, eve).count()).toBe(1);
  for (const one of [served, page]) {
    await cardOf(one, mallory).getByText(BOMB, { exact: true }).waitFor();
    expect(await cardOf(one, eve).getByRole('link').count()).toBe(0);
    expect(await one.locator('.person img, .person script, .person b, [onerror]').count()).toBe(0);
    expect(await one.title()).toMatch(/^Live now/);
  }
  await expectWellMade(page);
});

test('of thousands the latest are drawn and all are counted; more come at a wish, and without the script too the page says who is live', async () => {
  await endAllPresence();
  const now = Date.now();
  await sql(
    `insert into users (wallet, display_name, pfp_url, bio, xp, domains, platforms, languages, live, space_public, space_url, platform, live_since,
       last_seen, last_heartbeat, followers_count, following_count, version, created_at, updated_at)
     select '0x' || lpad(to_hex(n), 40, '0'), 'Person ' || n, '', '', n, '{}', '{}', '{}', true, true, '', 'web', ?::bigint - n * 60000, ?, ?, 0, 0, 1, ?, ?
       from generate_series(1, 2500) n`,
    [now, now, now, now, now],
  );
  const plain = await open({ javaScriptEnabled: false });
  expect(await plain.locator('#count').innerText()).toBe('2,500 people');
  expect(await plain.locator('.person').count()).toBe(60);
  expect(await plain.getByText('The latest 60 of 2,500 people').isVisible()).toBe(true);
  expect(await plain.getByRole('button').count()).toBe(0);

  const page = await open();
  const ada = await somebody({ displayName: 'Ada' });
  await ada.comes();
  await cardOf(page, ada).waitFor(AGAIN);
  await expect.poll(() => page.locator('#count').innerText(), AGAIN).toBe('2,501 people');
  expect((await shownOn(page)).slice(0, 3)).toEqual(['Ada', 'Person 1', 'Person 2']);
  expect(await page.locator('.person').count()).toBe(60);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.locator('.person').count()).toBe(120);
  // A closed connection makes room for the next.
  await ada.goes();
  await cardOf(page, ada).waitFor({ state: 'detached', ...SOON });
  await expect.poll(() => page.locator('.person').count()).toBe(120);
  await sql(`delete from users where display_name like 'Person %'`);
});
