import { expect, test } from 'vitest';
import { findUser } from './find.ts';
import { importUsers, linesOf } from './import.ts';
import { searchUsers } from './test/requests.ts';
import { openProcess, randomWallet } from './test/scene.ts';

async function* chunksOf(text: string, size = text.length || 1) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const line = (user: object) => `${JSON.stringify(user)}\n`;

test('lines are the same for any chunk size and any line ending', async () => {
  const text = 'één\r\nzwei\n\n{"a":"\u{1f600}"}\nlast';
  for (const size of [1, 2, 3, 7, 1_000]) {
    const lines = [];
    for await (const each of linesOf(chunksOf(text, size), 100)) lines.push(each);
    expect(lines.map(({ text: content }) => content)).toEqual(['één', 'zwei', '', '{"a":"\u{1f600}"}', 'last']);
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  }
});

test('a line that is too long is refused without affecting other lines', async () => {
  const lines = [];
  for await (const each of linesOf(chunksOf(`${'x'.repeat(50)}\nshort\n${'y'.repeat(9)}`, 4), 10))
    lines.push(each.text);
  expect(lines).toEqual([null, 'short', 'yyyyyyyyy']);
});

test('invalid lines are reported by number and reason, and the other lines are imported', async () => {
  const deps = await openProcess();
  const [ada, bob] = [randomWallet(), randomWallet()];
  const text = [
    line({ wallet: ada.toUpperCase().replace('0X', '0x'), displayName: 'Ada', xp: 5 }),
    'not json\n',
    '[1]\n',
    line({ displayName: 'No Wallet' }),
    '\n',
    line({ wallet: bob, xp: -1 }),
    line({ wallet: bob, displayName: 'NUL \0' }),
    line({ wallet: bob, displayName: 'lone \ud800' }),
    line({ wallet: bob, spaceUrl: 'javascript:alert(1)' }),
    line({ wallet: bob, domains: Array.from({ length: 51 }, String) }),
    line({ wallet: bob, lastHeartbeat: 1.5 }),
    `{"wallet":"${bob}","xp":1e400}\n`,
    line({ wallet: bob, displayName: '<script>alert(1)</script>', __proto__: { a: 1 } }),
  ].join('');
  const report = await importUsers(deps, chunksOf(text, 64));
  expect(report).toMatchObject({ lines: 12, imported: 2, refused: 10 });
  expect(report.faults.map(({ line: number }) => number)).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11, 12]);
  expect(report.faults[0]?.reason).toBe('is not JSON');
  expect(report.faults[3]?.reason).toBe('xp must be a number of at least 0');
  expect(await findUser(deps.db, ada)).toMatchObject({ displayName: 'Ada', xp: 5 });
  expect(await findUser(deps.db, bob)).toMatchObject({ displayName: '<script>alert(1)</script>', xp: 0 });
});

test('a repeated import changes no visible data, and omitted fields keep their value', async () => {
  const deps = await openProcess();
  const ada = randomWallet();
  const text = line({ wallet: ada, displayName: 'Ada', bio: 'x', xp: 5, domains: ['art'], createdAt: 7 });
  await importUsers(deps, chunksOf(text));
  const first = await findUser(deps.db, ada);
  await importUsers(deps, chunksOf(text));
  const again = await findUser(deps.db, ada);
  expect({ ...again, version: 0, updatedAt: 0 }).toEqual({ ...first, version: 0, updatedAt: 0 });
  await importUsers(deps, chunksOf(line({ wallet: ada, xp: 6 }) + line({ wallet: ada, bio: 'y' })));
  expect(await findUser(deps.db, ada)).toMatchObject({
    displayName: 'Ada',
    bio: 'y',
    xp: 6,
    domains: ['art'],
    createdAt: 7,
  });
  expect(await searchUsers(deps, { q: 'ADA' })).toMatchObject({ total: 1 });
});

test('two concurrent imports of the same fifty thousand lines succeed and report progress', async () => {
  const deps = await openProcess();
  const wallets = Array.from({ length: 25_000 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
  const text = [...wallets, ...wallets.toReversed()].map((wallet, xp) => line({ wallet, xp })).join('');
  const progress: number[] = [];
  const [report] = await Promise.all([
    importUsers(deps, chunksOf(text, 65_536), (lines) => progress.push(lines)),
    importUsers(deps, chunksOf(text, 65_536)),
  ]);
  expect(report).toMatchObject({ lines: 50_000, imported: 50_000, refused: 0 });
  expect(progress.length).toBeGreaterThan(40);
  const { users } = await searchUsers(deps, { limit: 2 });
  expect(users.map(({ xp }) => xp)).toEqual([49_999, 49_998]);
});
