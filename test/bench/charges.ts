import { setTimeout } from 'node:timers/promises';
import { createWalletClient, encodeFunctionData, erc20Abi, http, maxUint256, type TestClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { toAddress, toWallet } from '../../src/base/chain/address.ts';
import { chargeTransaction, planCharger } from '../../src/base/chain/charger.ts';
import { deploymentTransaction } from '../../src/base/chain/create2.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { localManager, type SpendPermission } from '../../src/base/chain/spend-permissions.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { chargeDueSubscriptions } from '../../src/domain/recurring/charges/charge-batch.ts';
import { createDueScan } from '../../src/domain/recurring/charges/due-scan.ts';
import { createPlan } from '../../src/domain/recurring/plans/save-plan.ts';
import { bookSubscriptions, signPermission } from '../../src/domain/recurring/subscriptions/test/permits.ts';
import { readSplit } from '../../src/domain/shop/splits/read.ts';
import type { Environment, Shop } from './environment.ts';
import { compare, compareToLimit, type Round } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of charging. */
export const CHARGES = {
  batch: { name: 'charging what is due', against: 'bare viem loop', goal: 6 },
  scan: { name: 'scan for what is due', against: '50 ms', goal: 1 },
} as const;

const PRICE_UNITS = 10_000_000n;
const PLAN = { description: '', priceCents: 1000, period: 'WEEKLY' } as const;
const WEEK_S = 604_800;
const DAY_S = 86_400;

/**
 * A batch of due subscriptions, beside a loop that sends the same transactions one after another and keeps no books.
 */
export async function benchCharges(
  environment: Environment,
  shop: Shop,
  { rounds, batch }: { readonly rounds: number; readonly batch: number },
): Promise<Line> {
  const test = await startTestChain();
  let stopMining = async () => {};
  try {
    const { chain } = test;
    const spender = localAccount('spender');
    const twin = privateKeyToAccount(localAccount('buyer', 3).privateKey);
    const settings = {
      ...environment.deps.settings,
      rpcUrl: test.rpcUrl,
      spenderPrivateKey: spender.privateKey,
      spendPermissionManager: localManager.address,
    };
    const deps = { ...environment.deps, settings, chain, chains: [chain] as const };
    const manager = localManager.address;
    const chargers = {
      ours: planCharger(manager, spender.address),
      bare: planCharger(manager, toWallet(twin.address)),
    };
    const customer = localAccount('buyer');
    const token = chain.tokens[0]!.address!;
    await mintTestTokens(chain, 'USDC', customer.address, 10n ** 15n);
    const sender = createSender(chain, customer.privateKey);
    await sender.send(deploymentTransaction(chargers.bare));
    for (const { address } of Object.values(chargers)) {
      const args = [toAddress(address), maxUint256] as const;
      const { hash } = await sender.send({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
      });
      await sender.waitFor(hash!);
    }
    const { address: split } = await readSplit(deps.db, deps.settings, shop.wallet);
    const plan = await createPlan(deps, shop.wallet, { ...PLAN, name: 'Bench' });

    let salt = 0;
    const sign = async (spender: Wallet) => {
      const start = Number((await chain.client.getBlock()).timestamp);
      const permission = (): SpendPermission => ({
        account: customer.address,
        spender,
        token,
        allowance: String(PRICE_UNITS),
        period: WEEK_S,
        start,
        end: start + 365 * DAY_S,
        salt: String(++salt),
        extraData: '0x',
      });
      const account = privateKeyToAccount(customer.privateKey);
      return Promise.all(
        Array.from({ length: batch }, () => signPermission(chain.chainId, { manager }, account, permission())),
      );
    };
    const timed = async (work: () => Promise<number>): Promise<Round> => {
      const begun = performance.now();
      const charged = await work();
      return { perSecond: (charged * 1000) / (performance.now() - begun), refused: batch - charged };
    };

    const ours = async () => {
      const merchant = { wallet: shop.wallet, planId: plan.id };
      await bookSubscriptions(deps, await sign(chargers.ours.address), {
        merchant,
        priceCents: 1000,
        period: 'WEEKLY',
      });
      return timed(async () => (await chargeDueSubscriptions(deps)).succeeded);
    };
    const wallet = createWalletClient({ account: twin, chain: chain.client.chain!, transport: http(test.rpcUrl) });
    const bare = async () => {
      const signed = await sign(chargers.bare.address);
      return timed(async () => {
        let hash: `0x${string}` | undefined;
        for (const { permission, signature } of signed) {
          const charge = { permission, value: PRICE_UNITS, split: split!, periodStart: permission.start, signature };
          const { to, data } = chargeTransaction(chargers.bare.address, charge);
          hash = await wallet.sendTransaction({ to: toAddress(to), data });
        }
        await chain.client.waitForTransactionReceipt({ hash: hash!, pollingInterval: 10 });
        return signed.length;
      });
    };
    // A block for each transaction would make the chain itself slower and slower: blocks come as they do elsewhere, by
    // time.
    const blocks = mineBlocks(test.control);
    stopMining = blocks.stop;
    await ours();
    await bare();
    const result = await compare(rounds, ours, bare);
    return { ...CHARGES.batch, ...result };
  } finally {
    await stopMining();
    await test.stop();
  }
}

const BLOCK_MS = 25;

/** Makes a block every so often, whatever is in it, until it is stopped. */
function mineBlocks(control: TestClient): { stop(): Promise<void> } {
  let stopped = false;
  const mining = (async () => {
    await control.setAutomine(false);
    while (!stopped) {
      await control.mine({ blocks: 1 });
      await setTimeout(BLOCK_MS);
    }
  })();
  return {
    stop() {
      stopped = true;
      return mining;
    },
  };
}

const FILL = `
  insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission, permission_hash, sealed_signature, status,
                             next_charge_at, created_at, updated_at)
  select $1, 'sub_bench' || n, $2, '0x' || lpad(to_hex(n), 40, '0'), 1000, 'WEEKLY', 31337, '0x', '{}', '0xbench' || n, '', 'active',
         $3::bigint + (case when n % ($4::int / 1000) = 0 then -n else n * 1000 end), 1, 1
    from generate_series(1, $4::int) n`;

/** The scan for what is due, a thousand of so many subscriptions, from its first page to its last. */
export async function benchDueScan(
  { deps, db }: Environment,
  shop: Shop,
  { rounds, many }: { readonly rounds: number; readonly many: number },
): Promise<Line> {
  const plan = await createPlan(deps, shop.wallet, { ...PLAN, name: 'Scan' });
  const headMs = 2_000_000_000_000;
  await db.query('delete from subscriptions where merchant = $1', [shop.wallet]);
  await db.query(FILL, [shop.wallet, plan.id, headMs, many]);
  await db.query('vacuum analyze subscriptions');
  const tookMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const next = createDueScan(deps.db, deps.chain, headMs, 100);
    const begun = performance.now();
    let found = 0;
    for (let page = await next(); page.length > 0; page = await next()) found += page.length;
    if (found !== 1000) throw new Error(`${found} were due, not 1000`);
    if (round > 0) tookMs.push(performance.now() - begun);
  }
  const { name, ...row } = CHARGES.scan;
  return { ...row, name: `${name} (${many} subscriptions)`, ...compareToLimit(tookMs, 50, 1_000) };
}
