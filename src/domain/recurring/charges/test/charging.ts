import { encodeFunctionData, erc20Abi, type Hash, type Hex, maxUint256 } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { runStatement } from '../../../../../test/support/statement.ts';
import { toAddress, toWallet } from '../../../../base/chain/address.ts';
import { chargerAbi } from '../../../../base/chain/charger.ts';
import { localAccount } from '../../../../base/chain/local-accounts.ts';
import { createSender, type Sender } from '../../../../base/chain/sender.ts';
import { accountOf, createAccountTransaction } from '../../../../base/chain/spend-permission-account.ts';
import { localManager, type SpendPermission } from '../../../../base/chain/spend-permissions.ts';
import { startTestChain } from '../../../../base/chain/test/anvil.ts';
import { testTokenAbi } from '../../../../base/chain/test-token.ts';
import { newId } from '../../../../base/core/ids.ts';
import { SLOW_CHAIN_ID } from '../../../../base/core/local-chains.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { openSpenderKey, type SpenderKey } from '../../../../base/onchain/spender/spender-key.ts';
import type { Settings } from '../../../../base/platform/deps.ts';
import { columnsOf, queryBuilderOf } from '../../../../base/platform/postgres/database.ts';
import { openWorld, type World } from '../../../payments/test/world.ts';
import { PERIOD_SECONDS, type Period } from '../../plans/period.ts';
import { type Subscription, SubscriptionSchema } from '../../subscriptions/subscription.entity.ts';
import { bookSubscriptions, signPermission } from '../../subscriptions/test/permits.ts';

/** A test world for recurring charges. */
export interface ChargingWorld {
  readonly world: World;
  readonly deps: World['deps'];
  readonly key: SpenderKey;
  readonly usdc: Wallet;
  /** Sends from a funded test account and waits for the block. */
  send(transaction: Parameters<Sender['send']>[0]): Promise<Hash>;
  merchant(): Promise<{ readonly wallet: Wallet; readonly split: Wallet; readonly planId: string }>;
  /** Subscribes a new customer. Default: a plain wallet with tokens and an approval. */
  subscribe(options: SubscribeOptions): Promise<Customer>;
  /** Subscribes one plain wallet `count` times, each with its own permission. Returns the ids. */
  subscribeMany(count: number, merchant: SubscribeOptions['merchant']): Promise<string[]>;
  /** Mints test tokens to the wallet, in base units. */
  mint(to: Wallet, amount: bigint): Promise<void>;
  balanceOf(wallet: Wallet): Promise<bigint>;
  read(id: string): Promise<Subscription>;
  /** Time of the latest block, epoch ms. */
  now(): Promise<number>;
  /** Advances the chain's clock and mines a block. */
  pass(seconds: number): Promise<void>;
  /** The `Charged` events on the chain, as `hash/periodStart`. */
  charged(): Promise<string[]>;
  /** Runs a statement and returns its rows. */
  rows<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

interface SubscribeOptions {
  readonly merchant: { readonly wallet: Wallet; readonly planId: string };
  readonly priceCents?: number;
  readonly period?: Period;
  readonly contract?: boolean;
  /** Base units. */
  readonly tokens?: bigint;
  readonly approved?: boolean;
  readonly permission?: Partial<SpendPermission>;
}

export interface Customer {
  readonly id: string;
  readonly wallet: Wallet;
  /** The key that signs: the wallet's own, or its owner's. */
  readonly account: PrivateKeyAccount;
  readonly privateKey: Hex;
  readonly permission: SpendPermission;
  readonly hash: Hash;
  readonly signature: Hex;
}

const DAY_S = 86_400;

export async function openChargingWorld(): Promise<ChargingWorld> {
  const world = await openWorld();
  return chargingIn(world, withSpender(world.deps));
}

/** Two chains with one database: a test world for each. Stopping the first one closes the database. */
export async function openChargingWorlds(): Promise<{ first: ChargingWorld; second: ChargingWorld }> {
  const [world, other] = await Promise.all([openWorld(), startTestChain([], SLOW_CHAIN_ID)]);
  const deps = { ...withSpender(world.deps), chains: [world.chain, other.chain] };
  const second = { ...world, ...other, deps: { ...deps, chain: other.chain } };
  return { first: chargingIn(world, deps), second: chargingIn(second, second.deps) };
}

function withSpender(deps: World['deps']): World['deps'] {
  const settings: Settings = {
    ...deps.settings,
    keyEncryptionKey: 'a key for tests, thirty-two bytes',
    cronSecret: 'cron',
    spenderPrivateKey: localAccount('spender').privateKey,
    spendPermissionManager: localManager.address,
  };
  return { ...deps, settings };
}

function chargingIn(world: World, deps: World['deps']): ChargingWorld {
  const { chain, control } = world;
  const key = openSpenderKey(deps);
  const usdc = chain.tokens[0]!.address!;
  const funder = createSender(chain, localAccount('buyer', 4).privateKey);
  const rows = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
    runStatement<Row>(deps.db, { name: `test-${text.length}-${text.slice(0, 40)}`, text }, parameters);

  const sign = (account: PrivateKeyAccount, permission: SpendPermission) =>
    signPermission(chain.chainId, key, account, permission);

  const it: ChargingWorld = {
    world,
    deps,
    key,
    usdc,
    async send(transaction) {
      const { hash, revertReason } = await funder.send(transaction);
      if (hash === null) throw new Error(revertReason);
      await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 10 });
      return hash;
    },
    async merchant() {
      const { wallet, split } = await world.merchant({ deployed: false });
      await rows(
        `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at) values ($1, 'Kaldi', 'kaldi', '{}', '{}', 1, 1, 1)`,
        [wallet],
      );
      const planId = newId('plan', Date.now());
      await rows(
        `insert into plans (merchant, id, name, description, price_cents, period, active, created_at, updated_at)
         values ($1, $2, 'Beans', '', 1000, 'WEEKLY', true, 1, 1)`,
        [wallet, planId],
      );
      return { wallet, split, planId };
    },
    async subscribe({ merchant, priceCents = 1000, period = 'WEEKLY', contract = false, approved = true, ...options }) {
      const privateKey = generatePrivateKey();
      const account = privateKeyToAccount(privateKey);
      const owner = toWallet(account.address);
      const owners = [owner, key.manager];
      const wallet = contract ? accountOf(owners) : owner;
      if (contract) await it.send(createAccountTransaction(owners));
      await it.mint(wallet, options.tokens ?? 1_000_000_000n);
      if (!contract && approved) {
        await control.setBalance({ address: account.address, value: 10n ** 18n });
        const approval = {
          abi: erc20Abi,
          functionName: 'approve',
          args: [toAddress(key.charger.address), maxUint256],
        } as const;
        const { hash } = await createSender(chain, privateKey).send({ to: usdc, data: encodeFunctionData(approval) });
        await chain.client.waitForTransactionReceipt({ hash: hash!, pollingInterval: 10 });
      }
      const start = Math.floor((await it.now()) / 1000);
      const permission: SpendPermission = {
        account: wallet,
        spender: key.charger.address,
        token: usdc,
        allowance: String(BigInt(priceCents) * 10_000n),
        period: PERIOD_SECONDS[period],
        start,
        end: start + 365 * DAY_S,
        salt: '1',
        extraData: '0x',
        ...options.permission,
      };
      const made = await sign(account, permission);
      await bookSubscriptions(deps, [made], { merchant, priceCents, period });
      const { id, hash, signature } = made;
      return { id, wallet, account, privateKey, permission, hash, signature };
    },
    async subscribeMany(count, merchant) {
      const first = await it.subscribe({ merchant, tokens: 10n ** 15n });
      const permissions = Array.from({ length: count - 1 }, (_, i) => ({ ...first.permission, salt: String(i + 2) }));
      const made = await Promise.all(permissions.map((permission) => sign(first.account, permission)));
      await bookSubscriptions(deps, made, { merchant, priceCents: 1000, period: 'WEEKLY' });
      return [first.id, ...made.map(({ id }) => id)];
    },
    async mint(to, amount) {
      const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [toAddress(to), amount] });
      await it.send({ to: usdc, data });
    },
    balanceOf: (wallet) =>
      chain.client.readContract({
        abi: erc20Abi,
        address: toAddress(usdc),
        functionName: 'balanceOf',
        args: [toAddress(wallet)],
      }),
    read: (id) =>
      queryBuilderOf(deps.db.orm.em)
        .selectFrom('Subscription')
        .select(columnsOf(SubscriptionSchema))
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    now: async () => Number((await chain.client.getBlock()).timestamp) * 1000,
    async pass(seconds) {
      await control.increaseTime({ seconds });
      await control.mine({ blocks: 1 });
    },
    async charged() {
      const logs = await chain.client.getContractEvents({
        abi: chargerAbi,
        address: toAddress(key.charger.address),
        eventName: 'Charged',
        fromBlock: 0n,
        strict: true,
      });
      return logs.map(({ args }) => `${args.hash}/${args.periodStart}`);
    },
    rows,
    stop: () => world.stop(),
  };
  return it;
}
