import type { Chain } from '../chain/client.ts';
import type { Clock } from '../core/clock.ts';
import type { AwaitingReceipt, OnItsWay } from '../core/on-its-way.ts';
import type { Origin } from '../core/origin.ts';
import type { RateTable } from '../core/rates.ts';
import type { Bus } from './bus.ts';
import type { ChainConfig } from './config/chains.ts';
import type { Config } from './config/config.ts';
import type { Db } from './db.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Journal } from './journal.ts';
import type { Logger } from './log/log.ts';
import type { RecentLists } from './recent-lists.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The complete configuration of a running server. */
export interface Settings extends Config {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly databaseSessionUrl: string;
  readonly rpcUrl: string;
  readonly furtherChains: readonly (ChainConfig & { readonly rpcUrl: string })[];
  readonly jwtSecret: string;
  readonly keyEncryptionKey: string;
  readonly cronSecret: string;
}

/**
 * Reads what is on its way to receipts that the unit of work has locked; `now` in epoch ms. The composition root
 * provides it, because it reads tables of folders that come later than those that ask.
 */
export type MoneyOnItsWay = (uow: UnitOfWork, receipts: readonly AwaitingReceipt[], now: number) => Promise<OnItsWay[]>;

/**
 * The dependencies of the domain. A function takes one or two of them as themselves (`db: Db`; `now: number` in place
 * of the clock), and more of them as a slice.
 */
export interface Deps {
  readonly settings: Settings;
  readonly db: Db;
  readonly bus: Bus;
  /** The last heartbeat of each live user. */
  readonly heartbeats: Heartbeats;
  /** The latest entries of lists that may be lost. */
  readonly recentLists: RecentLists;
  /** The chain of this work: the first one, unless the work is about another. */
  readonly chain: Chain;
  /** Every chain of the server, the first one first. */
  readonly chains: readonly Chain[];
  /** Stores orders that are acknowledged while the database is away. */
  readonly journal: Journal<object>;
  /** Returns the current exchange rates. */
  readonly rates: () => RateTable;
  readonly clock: Clock;
  /** The only answer to whether a payment of a receipt is on its way. */
  readonly moneyOnItsWay: MoneyOnItsWay;
  readonly log: Logger;
  /** Who makes the changes of this request, and from where. For the audit log. */
  readonly origin: Origin;
}

/** The present, and how the process is configured. */
export type ClockAndSettings = Pick<Deps, 'clock' | 'settings'>;

/** What a change needs that is announced on the bus. */
export type AnnouncingDeps = ClockAndSettings & { readonly bus: Deps['bus'] };
