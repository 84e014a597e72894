import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { SLOW_CHAIN_ID } from '../../core/local-chains.ts';
import { answersChain, askChain, chainUrl, startChain, stopChain } from './anvil.ts';
import { type ChainFiles, chainFiles, copyChainState } from './chain-state.ts';
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
  /** The folder of all data. */
  dataDir: string;
  chainId: number;
  wantPostgres: boolean;
  wantChain: boolean;
  /** Whether the second local chain, with slower blocks, is wanted too. */
  wantSlowChain?: boolean;
  log: { info(message: string): void; warn(message: string): void };
  /** Keep the services running until `stopServices`, whatever users leave (`quittance services start`). */
  keep?: boolean;
  /** Default: `full`. Tests may use `fast`. */
  durability?: Durability;
  /**
   * The number of blocks that are mined after a transaction, one per second (default 12). Must exceed the configured
   * confirmations. 0: the caller mines all blocks without transactions.
   */
  tailBlocks?: number;
}

/** The pace of the second local chain. */
const SLOW_BLOCK_MS = 3_000;

export interface Services {
  /** Present if `wantPostgres`. */
  databaseUrl?: string;
  /** Present if `wantChain`. */
  rpcUrl?: string;
  /** Present if `wantSlowChain`. */
  slowRpcUrl?: string;
  /** Which services were already running. */
  adopted: { postgres: boolean; chain: boolean };
  /** Leaves the services. The last user to leave stops them, unless they are kept. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded services if they do not run, and uses them until `stop`. Adopts running services, including those
 * left by a killed process. Concurrent callers share one set. Throws if a service does not start.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const {
    log,
    wantPostgres,
    wantChain,
    wantSlowChain = false,
    chainId,
    durability = 'full',
    tailBlocks = 12,
  } = options;
  const dataDir = resolve(options.dataDir);
  const self = markProcess(process.pid);
  if (!self) throw new Error('the embedded services need Linux; set DATABASE_URL and RPC_URL to use your own services');

  return withRecordLock(dataDir, async () => {
    const record = readRecord(dataDir);
    const adopted = { postgres: false, chain: false };
    let databaseUrl: string | undefined;
    let rpcUrl: string | undefined;
    let slowRpcUrl: string | undefined;
    // Beside the other services, so that it does not delay the start.
    const slow = wantSlowChain ? ensureChain(dataDir, record.slowChain, SLOW_CHAIN_ID, log) : null;
    const recorded = slow?.then(
      (started) => {
        record.slowChain = started.record;
      },
      () => {},
    );

    try {
      if (wantPostgres) {
        const password = postgresPassword(dataDir);
        const started = await ensurePostgres(dataDir, record.postgres, password, durability, log);
        record.postgres = started.record;
        keepPort(dataDir, 'postgres', started.record.port);
        adopted.postgres = started.adopted;
        databaseUrl = postgresUrl(started.record.port, password);
        // Recorded at once, so that a caller killed in the next step leaves no unrecorded service.
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
      if (slow) {
        const started = await slow;
        keepPort(dataDir, 'slowChain', started.record.port);
        slowRpcUrl = chainUrl(started.record.port);
        log.info(
          `local chain ${SLOW_CHAIN_ID} ${started.adopted ? 'adopted' : 'started'} on port ${started.record.port}`,
        );
      }
    } catch (error) {
      // No one else knows the processes that this start has begun.
      await recorded;
      if (record.kept || record.users.some(isRunning)) writeRecord(dataDir, record);
      else await endAll(dataDir, record);
      throw error;
    }
    const ticket = randomUUID();
    record.users = [...record.users.filter(isRunning), { ...self, ticket }];
    record.kept ||= options.keep ?? false;
    writeRecord(dataDir, record);
    const endKeeping = rpcUrl && tailBlocks > 0 && keepChain(rpcUrl, chainFiles(dataDir, chainId), tailBlocks);
    const endKeepingSlow =
      slowRpcUrl &&
      tailBlocks > 0 &&
      keepChain(slowRpcUrl, chainFiles(dataDir, SLOW_CHAIN_ID), tailBlocks, SLOW_BLOCK_MS);
    const stop = async () => {
      if (endKeeping) await endKeeping();
      if (endKeepingSlow) await endKeepingSlow();
      await leaveServices(dataDir, ticket);
    };
    return { databaseUrl, rpcUrl, slowRpcUrl, adopted, stop };
  });
}

/**
 * The running services of a data directory, for commands beside a running server; undefined for a service that does not
 * answer.
 */
export async function readServices(
  dataDir: string,
): Promise<{ databaseUrl?: string; rpcUrl?: string; slowRpcUrl?: string }> {
  const folder = resolve(dataDir);
  const { postgres, chain, slowChain } = readRecord(folder);
  const password = postgres && postgresPassword(folder);
  return {
    databaseUrl:
      postgres && password && (await answersPostgres(postgres, password))
        ? postgresUrl(postgres.port, password)
        : undefined,
    rpcUrl: chain && (await answersChain(chain)) ? chainUrl(chain.port) : undefined,
    slowRpcUrl: slowChain && (await answersChain(slowChain)) ? chainUrl(slowChain.port) : undefined,
  };
}

/** Pids of the running processes that use the services of a data directory. */
export function serviceUsers(dataDir: string): number[] {
  return pidsOf(readRecord(resolve(dataDir)));
}

/** Stops the services of a data directory, even while they are used. Resolves to the services that were running. */
export async function stopServices(dataDir: string): Promise<{ postgres: boolean; chain: boolean }> {
  const folder = resolve(dataDir);
  return withRecordLock(folder, () => endAll(folder, readRecord(folder)));
}

/**
 * Stops the services of a data directory and deletes their data permanently: databases, chain state, logs, ports and
 * password. While processes use the services, deletes nothing and returns their pids in `users`.
 */
export async function removeServices(dataDir: string): Promise<{ deleted: string[]; users: number[] }> {
  const folder = resolve(dataDir);
  return withRecordLock(folder, async () => {
    const record = readRecord(folder);
    const users = pidsOf(record);
    if (users.length > 0) return { deleted: [], users };
    await endAll(folder, record);
    return { deleted: eraseServicesData(folder), users };
  });
}

function pidsOf({ users }: ServicesRecord): number[] {
  return [...new Set(users.filter(isRunning).map(({ pid }) => pid))];
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
  const { postgres, chain, slowChain } = record;
  const running = {
    postgres: postgres !== undefined && isRunning(postgres),
    chain: chain !== undefined && isRunning(chain),
  };
  await Promise.all([postgres && stopPostgres(postgres), chain && stopChain(chain), slowChain && stopChain(slowChain)]);
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

interface Block {
  number: number;
  transactionCount: number;
}

const TICK_MS = 1_000;

/**
 * Once a second, or at the given interval, mines a block until the newest transaction is `tailBlocks` deep, so that
 * payments gain confirmations on a chain without other activity, and copies the state after each change. An idle chain
 * gets no blocks: each block adds 1.7 KB that anvil writes again every second. Returns a function that stops it.
 */
export function keepChain(
  rpcUrl: string,
  files: ChainFiles,
  tailBlocks: number,
  tickMs = TICK_MS,
): () => Promise<void> {
  let seenBlock = -1;
  let busyBlock = -1;
  let copiedBlock = -1;
  let movedAtMs = 0;
  let tick: Promise<void> | undefined;

  const inspect = async () => {
    const head = await readBlock(rpcUrl, 'latest');
    const moved = head.number !== seenBlock;
    if (moved) {
      // A chain that was rolled back is inspected again from its head.
      if (head.number < seenBlock) seenBlock = busyBlock = copiedBlock = -1;
      busyBlock = (await findBusyBlock(rpcUrl, head, Math.max(seenBlock, head.number - tailBlocks))) ?? busyBlock;
      seenBlock = head.number;
      movedAtMs = Date.now();
    }
    if (copiedBlock < head.number && (await copyChainState(files, movedAtMs))) copiedBlock = head.number;
    // New blocks come from another process that also keeps the chain, or from payments.
    if (moved || busyBlock < 0 || head.number - busyBlock >= tailBlocks) return;
    await askChain(rpcUrl, 'evm_mine', []);
    movedAtMs = Date.now();
    // Otherwise a payment has come in between: the next turn looks for its block.
    const mined = await readBlock(rpcUrl, 'latest');
    if (mined.number === head.number + 1 && mined.transactionCount === 0) seenBlock = mined.number;
  };

  const timer = setInterval(() => {
    // Ignore a chain that does not answer: its users report it.
    tick ??= inspect()
      .catch(() => {})
      .finally(() => {
        tick = undefined;
      });
  }, tickMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await tick;
  };
}

/** The newest block above `floor` that contains a transaction. */
async function findBusyBlock(rpcUrl: string, head: Block, floor: number): Promise<number | undefined> {
  let block = head;
  while (block.number > floor) {
    if (block.transactionCount > 0) return block.number;
    if (block.number === 0) return undefined;
    block = await readBlock(rpcUrl, `0x${(block.number - 1).toString(16)}`);
  }
  return undefined;
}

async function readBlock(rpcUrl: string, tag: string): Promise<Block> {
  const block = (await askChain(rpcUrl, 'eth_getBlockByNumber', [tag, false])) as {
    number: string;
    transactions: unknown[];
  };
  return { number: Number(block.number), transactionCount: block.transactions.length };
}
