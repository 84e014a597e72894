import type { PgBoss } from 'pg-boss';
import type { Chain } from '../chain/client.ts';
import type { Clock } from '../core/clock.ts';
import type { RateTable } from '../core/rates.ts';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Journal } from './journal.ts';
import type { Logger } from './log.ts';
import type { Orm } from './orm.ts';
import type { Sql } from './sql.ts';

/** The configuration of a running server: nothing is left open any more. */
export interface Settings extends Config {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly jwtSecret: string;
  readonly keyEncryptionKey: string;
  readonly cronSecret: string;
}

/** What the domain stands on. A function asks for the parts it needs: `Pick<Deps, 'sql' | 'clock'>`. */
export interface Deps {
  readonly settings: Settings;
  readonly orm: Orm;
  readonly sql: Sql;
  readonly boss: PgBoss;
  readonly bus: Bus;
  /** Who was heard of when, as long as it is live. */
  readonly heartbeats: Heartbeats;
  readonly chain: Chain;
  /** Keeps what is acknowledged while the database is away. */
  readonly journal: Journal<object>;
  /** The exchange rates as they are known now. */
  readonly rates: () => RateTable;
  readonly clock: Clock;
  readonly log: Logger;
}
