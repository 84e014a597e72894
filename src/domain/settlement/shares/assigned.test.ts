import { afterAll, beforeAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { openWorld, type World } from '../../payments/test/world.ts';
import { assignTransfer } from '../../payments/unmatched/assign.ts';
import { createSettler } from './settle.ts';
import { readShares } from './share-view.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** Reads the chain and settles until there is nothing left to do. */
async function rounds(): Promise<void> {
  const settler = createSettler(world.deps, wallet);
  for (let round = 0; round < 6; round++) {
    await world.mine(2);
    await settler((await world.look()).cursor.confirmed);
  }
}

async function asked(merchant: Wallet, cents: number) {
  const id = await world.receipt(merchant, cents);
  return { id, payTo: await world.address(merchant, id) };
}

const send = (to: Wallet, amount: bigint) => payFromTestWallet(world.chain, { token: 'USDC', to, amount });

const sharesOf = async (merchant: Wallet, id: string) => (await readShares(world.deps.db, merchant, [id])).flat();
const owedOf = async (merchant: Wallet, id: string) => (await sharesOf(merchant, id)).map(({ owed }) => owed);

const FIRST = 1_000_000n;
const SECOND = 3_000_000n;
const sharesIn = (amount: bigint) => [String((amount * 9_950n) / 10_000n), String((amount * 50n) / 10_000n)];

test.each(['with it', 'after it'])(
  'money at the address of another receipt pays out the receipt that it is assigned to: collected %s',
  async (when) => {
    const { wallet: merchant } = await world.merchant();
    await deployAll(world);
    const [own, other] = [await asked(merchant, 100), await asked(merchant, 300)];
    await send(own.payTo, FIRST);
    if (when === 'after it') await rounds();
    const hash = await send(own.payTo, SECOND);
    await rounds();
    expect(await world.status(merchant, own.id)).toBe('completed');
    await assignTransfer(world.deps, { merchant, transactionHash: hash, receiptId: other.id, by: merchant });
    await rounds();
    expect(await world.status(merchant, other.id)).toBe('completed');
    expect(await owedOf(merchant, own.id)).toEqual(sharesIn(FIRST));
    expect(await owedOf(merchant, other.id)).toEqual(sharesIn(SECOND));
    for (const { transactionHash } of await sharesOf(merchant, other.id)) expect(transactionHash).not.toBeNull();
  },
);

test('a receipt that its own money and money at the address of another one paid has the shares of both', async () => {
  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  const [own, other] = [await asked(merchant, 100), await asked(merchant, 400)];
  await send(own.payTo, FIRST);
  await send(other.payTo, FIRST);
  await rounds();
  const hash = await send(own.payTo, SECOND);
  await rounds();
  await assignTransfer(world.deps, { merchant, transactionHash: hash, receiptId: other.id, by: merchant });
  await rounds();
  expect(await world.status(merchant, other.id)).toBe('completed');
  expect(await owedOf(merchant, own.id)).toEqual(sharesIn(FIRST));
  expect(await owedOf(merchant, other.id)).toEqual(sharesIn(FIRST + SECOND));
});
