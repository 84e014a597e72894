import { expect, test } from 'vitest';
import { findUser } from './find.ts';
import { follow, readFollows, unfollow } from './follow.ts';
import { upsertUser } from './test/requests.ts';
import { openProcess, randomWallet } from './test/scene.ts';

test('repeated follow and unfollow calls count once', async () => {
  const deps = await openProcess();
  const [ada, bob] = [randomWallet(), randomWallet()];
  await upsertUser(deps, ada, {});
  for (let i = 0; i < 2; i++)
    expect(await follow(deps.db, deps.clock(), bob, ada)).toEqual({
      followersCount: 1,
      followingCount: 0,
      viewerFollows: true,
    });
  expect(await readFollows(deps.db, bob, ada)).toEqual({ followersCount: 0, followingCount: 1, viewerFollows: false });
  for (let i = 0; i < 2; i++)
    expect(await unfollow(deps.db, bob, ada)).toEqual({
      followersCount: 0,
      followingCount: 0,
      viewerFollows: false,
    });
  expect(await findUser(deps.db, bob)).toMatchObject({ followersCount: 0, followingCount: 0 });
});

test('a wallet cannot follow itself or a wallet that is not a user', async () => {
  const deps = await openProcess();
  const ada = randomWallet();
  await upsertUser(deps, ada, {});
  await expect(follow(deps.db, deps.clock(), ada, ada)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(follow(deps.db, deps.clock(), ada, randomWallet())).rejects.toMatchObject({ code: 'not_found' });
  expect(await unfollow(deps.db, ada, randomWallet())).toEqual({
    followersCount: 0,
    followingCount: 0,
    viewerFollows: false,
  });
});

test('counts are correct after all users follow and unfollow each other concurrently, without a deadlock', async () => {
  const deps = await openProcess();
  const wallets = Array.from({ length: 6 }, randomWallet);
  for (const wallet of wallets) await upsertUser(deps, wallet, {});
  const pairs = wallets.flatMap((one) =>
    wallets.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  const work = pairs.flatMap(([one, other], i) => [
    follow(deps.db, deps.clock(), one, other),
    follow(deps.db, deps.clock(), one, other),
    ...(i % 3 === 0 ? [unfollow(deps.db, one, other)] : []),
  ]);
  await Promise.all(work);
  await Promise.all(
    pairs.map(([one, other], i) =>
      i % 2 === 0 ? follow(deps.db, deps.clock(), one, other) : unfollow(deps.db, one, other),
    ),
  );
  for (const wallet of wallets) {
    const others = pairs.filter((_, i) => i % 2 === 0);
    expect(await findUser(deps.db, wallet)).toMatchObject({
      followersCount: others.filter(([, other]) => other === wallet).length,
      followingCount: others.filter(([one]) => one === wallet).length,
    });
  }
});
