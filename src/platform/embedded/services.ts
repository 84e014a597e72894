import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { answersChain, chainUrl, startChain, stopChain } from './anvil.ts';
import { keepChain } from './chain-keeper.ts';
import { chainFiles } from './chain-state.ts';
import { eraseServicesData } from './data.ts';
import { keepPort } from './ports.ts';
import { answersPostgres, type Durability, postgresUrl, startPostgres, stopPostgres } from './postgres.ts';
import { isRunning, markProcess } from './process.ts';
import {
  type ChainRecord,
  keepSecret,
  type PostgresRecord,
  readRecord,
  removeRecord,
  type ServicesRecord,
  withRecordLock,
  writeRecord,
} from './record.ts';

export interface ServicesOptions {
  /** Where everything is kept. */
  dataDir: string;
  chainId: number;
  wantPostgres: boolean;
  wantChain: boolean;
  log: { info(message: string): void; warn(message: string): void };
  /** Leave them running until `stopServices`, whoever comes and goes (`quittance services start`). */
  keep?: boolean;
  /** `full` unless a test asks for `fast`. */
  durability?: Durability;
  /**
   * How many blocks the local chain gets, one a second, on top of a transaction (12). Must exceed the confirmations that a
   * payment waits for. 0 leaves all mining beyond transactions to the caller.
   */
  tailBlocks?: number;
}

export interface Services {
  /** Present when PostgreSQL was wanted. */
  databaseUrl?: string;
  /** Present when the chain was wanted. */
  rpcUrl?: string;
  /** Which of them were running already. */
  adopted: { postgres: boolean; chain: boolean };
  /** Leaves the services; the last process to leave ends them, unless they are kept. */
  stop(): Promise<void>;
}

/**
 * Makes sure that the embedded services run, and takes part in their use until `stop`. Services that a killed process left
 * behind are adopted when they answer. Two callers at once share one set. Throws when one does not start.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { log, wantPostgres, wantChain, chainId, durability = 'full', tailBlocks = 12 } = options;
  const dataDir = resolve(options.dataDir);
  const self = markProcess(process.pid);
  if (!self) throw new Error('the embedded services need Linux; set DATABASE_URL and RPC_URL to services of your own');

  return withRecordLock(dataDir, async () => {
    const record = readRecord(dataDir);
    const adopted = { postgres: false, chain: false };
    let databaseUrl: string | undefined;
    let rpcUrl: string | undefined;

    if (wantPostgres) {
      const password = postgresPassword(dataDir);
      const started = await ensurePostgres(dataDir, record.postgres, password, durability, log);
      record.postgres = started.record;
      keepPort(dataDir, 'postgres', started.record.port);
      adopted.postgres = started.adopted;
      databaseUrl = postgresUrl(started.record.port, password);
      // Recorded at once: a caller killed in the next step leaves nothing unknown.
      writeRecord(dataDir, record);
      log.info(`embedded PostgreSQL ${started.adopted ? 'adopted' : 'started'} on port ${started.record.port}`);
    }
    if (wantChain) {
      const started = await ensureChain(dataDir, record.chain, chainId, log);
      record.chain = started.record;
      keepPort(dataDir, 'chain', started.record.port);
      adopted.chain = started.adopted;
      rpcUrl = chainUrl(started.record.port);
      log.info(`local chain ${chainId} ${started.adopted ? 'adopted' : 'started'} on port ${started.record.port}`);
    }
    const ticket = randomUUID();
    record.users = [...record.users.filter(isRunning), { ...self, ticket }];
    record.kept ||= options.keep ?? false;
    writeRecord(dataDir, record);
    const endKeeping = rpcUrl && tailBlocks > 0 && keepChain(rpcUrl, chainFiles(dataDir, chainId), tailBlocks);
    const stop = async () => {
      if (endKeeping) await endKeeping();
      await leaveServices(dataDir, ticket);
    };
    return { databaseUrl, rpcUrl, adopted, stop };
  });
}

/** What is running for a data directory, for a command beside a running server; undefined for what does not answer. */
export async function readServices(dataDir: string): Promise<{ databaseUrl?: string; rpcUrl?: string }> {
  const folder = resolve(dataDir);
  const { postgres, chain } = readRecord(folder);
  const password = postgres && postgresPassword(folder);
  return {
    databaseUrl:
      postgres && password && (await answersPostgres(postgres, password))
        ? postgresUrl(postgres.port, password)
        : undefined,
    rpcUrl: chain && (await answersChain(chain)) ? chainUrl(chain.port) : undefined,
  };
}

/** Ends the services of a data directory, whoever uses them. Resolves to which of them were running. */
export async function stopServices(dataDir: string): Promise<{ postgres: boolean; chain: boolean }> {
  const folder = resolve(dataDir);
  return withRecordLock(folder, () => endAll(folder, readRecord(folder)));
}

/**
 * Ends the services of a data directory and deletes their data for good: databases, chain state, logs, ports and password.
 * Deletes nothing while a process uses them, and answers the numbers of those processes instead.
 */
export async function removeServices(dataDir: string): Promise<{ deleted: string[]; users: number[] }> {
  const folder = resolve(dataDir);
  return withRecordLock(folder, async () => {
    const record = readRecord(folder);
    const users = [...new Set(record.users.filter(isRunning).map(({ pid }) => pid))];
    if (users.length > 0) return { deleted: [], users };
    await endAll(folder, record);
    return { deleted: eraseServicesData(folder), users };
  });
}

async function leaveServices(dataDir: string, ticket: string): Promise<void> {
  await withRecordLock(dataDir, async () => {
    const record = readRecord(dataDir);
    record.users = record.users.filter((user) => user.ticket !== ticket && isRunning(user));
    if (record.users.length === 0 && !record.kept) await endAll(dataDir, record);
    else writeRecord(dataDir, record);
  });
}

async function endAll(dataDir: string, record: ServicesRecord): Promise<{ postgres: boolean; chain: boolean }> {
  const { postgres, chain } = record;
  const running = {
    postgres: postgres !== undefined && isRunning(postgres),
    chain: chain !== undefined && isRunning(chain),
  };
  await Promise.all([postgres && stopPostgres(postgres), chain && stopChain(chain)]);
  removeRecord(dataDir);
  return running;
}

async function ensurePostgres(
  dataDir: string,
  known: PostgresRecord | undefined,
  password: string,
  durability: Durability,
  log: ServicesOptions['log'],
): Promise<{ record: PostgresRecord; adopted: boolean }> {
  if (known && (await answersPostgres(known, password))) return { record: known, adopted: true };
  if (known) await stopPostgres(known);
  return startPostgres(dataDir, password, durability, log);
}

async function ensureChain(
  dataDir: string,
  known: ChainRecord | undefined,
  chainId: number,
  log: ServicesOptions['log'],
): Promise<{ record: ChainRecord; adopted: boolean }> {
  if (known && known.chainId === chainId && (await answersChain(known))) return { record: known, adopted: true };
  if (known) await stopChain(known);
  return { record: await startChain(dataDir, chainId, log), adopted: false };
}

function postgresPassword(dataDir: string): string {
  return keepSecret(dataDir, 'postgres-password', () => randomBytes(24).toString('base64url'));
}
