import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createDatabase, withProductionLimits } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { startTestChain, type TestChain } from '../../../base/chain/test/anvil.ts';
import { SERVER } from '../../../base/core/origin.ts';
import type { Recipient } from '../../../base/core/shares.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import { createLocalBus } from '../../../base/platform/bus.ts';
import { readConfig } from '../../../base/platform/config/config.ts';
import { createDb } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { createLocalHeartbeats } from '../../../base/platform/heartbeats.ts';
import { openJournal } from '../../../base/platform/journal.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { queryBuilderOf } from '../../../base/platform/postgres/database.ts';
import { createLocalRecentLists } from '../../../base/platform/recent-lists.ts';
import { moneyOnItsWay } from '../../reports/underway/money-on-its-way.ts';
import { ReceiptAddressSchema } from '../../sales/receipts/address.entity.ts';
import { newAddress } from '../../sales/receipts/addresses.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { RECEIPT_COLUMNS, type Receipt, ReceiptSchema } from '../../sales/receipts/receipt.entity.ts';
import { createShares } from '../../settlement/shares/create-shares.ts';
import { staticTable } from '../../shop/fx/rates.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import type { MatchDeps } from '../matching/match.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { type Scan, scan } from '../watching/scan.ts';

/** The default dollars per ether in these tests. */
const ETH_USD = '3100';

/** A database and a chain for one test file, with the steps of its tests. */
export interface World extends TestChain {
  readonly deps: Deps & MatchDeps;
  /** Rates that a test can change. */
  readonly rates: Map<string, string>;
  /** Creates a merchant with a split, ready for payments. */
  merchant(options?: SplitOptions): Promise<{ wallet: Wallet; split: Wallet; recipients: readonly Recipient[] }>;
  /** Creates a receipt; returns its id. */
  receipt(merchant: Wallet, totalCents: number, more?: Partial<Receipt>): Promise<string>;
  /** The merchant's split. */
  splitOf(merchant: Wallet): Promise<Wallet>;
  /** Gives a receipt its next address, for the merchant's split. */
  address(merchant: Wallet, id: string): Promise<Wallet>;
  status(merchant: Wallet, id: string): Promise<ReceiptStatus>;
  read(merchant: Wallet, id: string): Promise<Receipt>;
  /** The history as `kind:status-or-name`, in order. */
  history(merchant: Wallet, id: string): Promise<{ what: string; detail: Record<string, unknown> | null }[]>;
  /**
   * Waits until the receipt has had this status. Transactions of settlement also add blocks, so it may have another
   * status already.
   */
  reached(merchant: Wallet, id: string, status: ReceiptStatus): Promise<void>;
  /** Pays from a test wallet and waits for the block; returns the hash. */
  pay(
    quote: { readonly token: string; readonly payTo: Wallet; readonly amount: string },
    more?: bigint,
  ): Promise<`0x${string}`>;
  mine(blocks: number): Promise<void>;
  /** What a wallet holds of the token at the head, in base units. */
  balanceOf(wallet: Wallet, symbol?: string): Promise<bigint>;
  /** One scan of the chain. */
  look(): Promise<Scan>;
}

export interface SplitOptions {
  readonly recipients?: readonly Recipient[];
  readonly verified?: boolean;
  readonly deployed?: boolean;
}

export const randomWallet = (): Wallet => parseWallet(`0x${randomBytes(20).toString('hex')}`)!;

/** @param options.hasProductionLimits for tests that wait for the database's time limits, which are long otherwise */
export async function openWorld({ hasProductionLimits = false } = {}): Promise<World> {
  const testChain = await startTestChain();
  const { databaseUrl: patient, drop } = await createDatabase();
  const databaseUrl = hasProductionLimits ? withProductionLimits(patient) : patient;
  const orm = await createOrm(databaseUrl, entities);
  const log = createLog(process.env.TEST_LOG ?? 'silent');
  const rates = new Map([['ETH', ETH_USD]]);
  const settings = {
    ...readConfig({ NODE_ENV: 'test', RPC_URL: testChain.rpcUrl }),
    databaseUrl,
    databaseSessionUrl: databaseUrl,
    keyEncryptionKey: 'a key for tests, thirty-two bytes',
    settlementPrivateKey: localAccount('settlement').privateKey,
  } as Settings;
  const base: Deps = {
    settings,
    origin: SERVER,
    db: createDb(databaseUrl, orm, log),
    bus: createLocalBus(),
    heartbeats: createLocalHeartbeats(),
    recentLists: createLocalRecentLists(),
    chain: testChain.chain,
    chains: [testChain.chain],
    journal: openJournal(mkdtempSync(join(tmpdir(), 'quittance-world-')), 'orders', Date.now()),
    rates: () => staticTable(rates),
    clock: Date.now,
    moneyOnItsWay,
    log,
  };
  const deps = { ...base, readRate: configuredRates(base), watched: watchAddresses(base), createShares };
  const { chain, control } = testChain;

  const world: World = {
    ...testChain,
    deps,
    rates,
    async merchant({ recipients, verified = true, deployed = false } = {}) {
      const wallet = randomWallet();
      const payees = recipients ?? [
        { address: wallet, sharesBps: 9950 },
        { address: randomWallet(), sharesBps: 50 },
      ];
      const { address, salt, initCode } = planSplitter({ merchant: wallet, recipients: payees });
      await orm.em.fork().insert(SplitSchema, {
        merchant: wallet,
        id: `split_${wallet}`,
        chainId: chain.chainId,
        address,
        recipients: [...payees],
        salt,
        initCode,
        verified,
        deployed,
        createdBlock: Number(await chain.client.getBlockNumber()),
        createdAt: Date.now(),
      });
      return { wallet, split: address, recipients: payees };
    },
    async receipt(merchant, totalCents, more = {}) {
      const id = `R-${randomBytes(8).toString('hex')}`;
      const now = Date.now();
      await orm.em.fork().insert(ReceiptSchema, {
        merchant,
        id,
        origin: 'order',
        status: 'generated',
        seq: 1,
        announcedStatus: 'generated',
        totalCents,
        currency: 'USD',
        lineItems: [{ label: 'Thing', priceCents: totalCents }],
        brandName: 'Shop',
        createdBlock: Number(await chain.client.getBlockNumber()),
        createdChainId: chain.chainId,
        stockTaken: false,
        createdAt: now,
        updatedAt: now,
        ...more,
      });
      return id;
    },
    splitOf: async (merchant) =>
      (await orm.em.fork().findOneOrFail(SplitSchema, { merchant, replacedAt: null })).address,
    async address(merchant, id) {
      const em = orm.em.fork();
      const { createdAt } = await world.read(merchant, id);
      const split = await world.splitOf(merchant);
      const number = await em.count(ReceiptAddressSchema, { merchant, receiptId: id });
      const made = newAddress({ merchant, id, createdAt }, { split, onlyChainId: null }, number);
      await em.insert(ReceiptAddressSchema, { ...made, merchant, receiptId: id, createdAt });
      return made.address;
    },
    status: async (merchant, id) => (await world.read(merchant, id)).status,
    read: (merchant, id) =>
      queryBuilderOf(orm.em)
        .selectFrom('Receipt')
        .select(RECEIPT_COLUMNS)
        .where('merchant', '=', merchant)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    history: (merchant, id) =>
      orm.em
        .fork()
        .execute(
          `select kind || ':' || coalesce(name, status) as what, detail from receipt_history where merchant = ? and receipt_id = ? order by seq`,
          [merchant, id],
        ),
    reached: (merchant, id, status) =>
      vi.waitFor(
        async () => {
          const history = await world.history(merchant, id);
          expect(history.map(({ what }) => what)).toContain(`status:${status}`);
        },
        { timeout: 60_000, interval: 50 },
      ),
    async pay({ token, payTo, amount }, more = 0n) {
      const hash = await payFromTestWallet(chain, { token, to: payTo, amount: BigInt(amount) + more });
      await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      return hash;
    },
    mine: (blocks) => control.mine({ blocks }),
    async balanceOf(wallet, symbol = 'USDC') {
      const { address } = chain.tokens.find((token) => token.symbol === symbol)!;
      return readBalance(chain, wallet, address, await chain.client.getBlockNumber({ cacheTime: 0 }));
    },
    look: () => scan(deps),
    async stop() {
      await Promise.all([orm.close(true), base.db.close(), base.bus.close()]);
      await drop();
      await testChain.stop();
    },
  };
  return world;
}
