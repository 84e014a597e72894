import type { TestAccount, TestMerchant, TestServer } from '../support/server.ts';
import type { TestPlan } from '../support/subscriber.ts';
import type { FaultChain } from './chain.ts';

/** What clients and the comparison need of a world. */
export interface Market {
  readonly url: string;
  readonly chain: FaultChain;
  /** A server in this process, beside all faults: it makes merchants. */
  readonly setup: TestServer;
  readonly cronSecret: string;
  /** Wallets with tokens that have approved the charger. */
  readonly customers: readonly TestAccount[];
  readonly stock: number;
}

/** A merchant that clients buy from. */
export interface Shop {
  readonly merchant: TestMerchant;
  readonly session: Readonly<Record<string, string>>;
  readonly plan: TestPlan;
}
