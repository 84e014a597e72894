import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';

const CONNECT_MS = 1_000;
/** A commit that waits for its copy is given up after this time. It is not cancelled: that would acknowledge it. */
const WRITE_MS = 2_000;
const AGAIN_MS = 20;
const READ_ONLY = '25006';

/** A client that still reaches one PostgreSQL while the others take it for lost. */
export interface DirectWrites {
  /** The numbers whose write was acknowledged. */
  readonly acknowledged: readonly number[];
  /** Whether a write was refused since the last call because this PostgreSQL is a copy. */
  wasRefused(): boolean;
  stop(): Promise<void>;
}

const TABLE = 'create table if not exists direct_writes (round int, number int, primary key (round, number))';

const open = (connectionString: string) => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: WRITE_MS });
  client.on('error', () => {});
  return client;
};

/** Inserts numbers into a table of the database `postgres`, one after the other, until it is stopped. */
export function writeDirectly(databaseUrl: string, round: number): DirectWrites {
  const acknowledged: number[] = [];
  let refused = false;
  let stopped = false;
  let number = 0;

  async function connected(): Promise<void> {
    const client = open(besides(databaseUrl));
    try {
      await client.connect();
      await client.query(TABLE);
      while (!stopped) {
        number += 1;
        await client.query('insert into direct_writes values ($1, $2)', [round, number]);
        acknowledged.push(number);
        await pause(AGAIN_MS);
      }
    } catch (error) {
      refused ||= (error as pg.DatabaseError).code === READ_ONLY;
    } finally {
      // A server that is frozen does not say that the connection has ended.
      void client.end().catch(() => {});
    }
  }
  async function run(): Promise<void> {
    while (!stopped) {
      await connected();
      await pause(AGAIN_MS);
    }
  }
  const running = run();
  const stop = async () => {
    stopped = true;
    await running;
  };
  onTestFinished(stop);
  return {
    acknowledged,
    wasRefused() {
      const was = refused;
      refused = false;
      return was;
    },
    stop,
  };
}

/** The numbers of a round that the primary has. */
export async function directlyWritten(databaseUrl: string, round: number): Promise<ReadonlySet<number>> {
  const client = open(besides(databaseUrl));
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number }>('select number from direct_writes where round = $1', [
      round,
    ]);
    return new Set(rows.map((row) => row.number));
  } finally {
    void client.end().catch(() => {});
  }
}

const besides = (databaseUrl: string): string => databaseUrl.replace(/quittance$/, 'postgres');
