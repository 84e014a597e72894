import { createChain } from '../../src/base/chain/client.ts';
import { defaultTokens } from '../../src/base/chain/tokens.ts';
import { watchlistOf } from '../../src/base/chain/transfers.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { MatchDeps } from '../../src/domain/payments/matching/match.ts';
import { type Watched, watchAddresses } from '../../src/domain/payments/transfers/watched.ts';
import { scan } from '../../src/domain/payments/watching/scan.ts';
import { createShares } from '../../src/domain/settlement/shares/create-shares.ts';
import { configuredRates } from '../../src/domain/shop/fx/usd-per-token.ts';
import { cpuOfFamily } from './cpu.ts';
import type { Environment, Shop } from './environment.ts';
import { startProgram } from './programs.ts';
import { compare, type Round } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of the watcher. The goals: the cost of a block does not grow with the number of splits. */
export const WATCHER = {
  catchUp: { name: 'watcher: blocks of a catch-up, 10000 splits', against: 'bare eth_getLogs' },
  steady: [
    { name: 'watcher: a new block, 1000 splits', against: '100 splits', splits: 1_000, goal: 1 / 1.3 },
    { name: 'watcher: a new block, 10000 splits', against: '100 splits', splits: 10_000, goal: 1 / 1.3 },
  ],
} as const;

const CHAIN_ID = 1;
const SPLITS = 10_000;
const FEW = 100;
const PAYMENT_EVERY = 10_000;
const RANGE = 1_000;
/** New blocks of one round. */
const STEADY_BLOCKS = 100;

const addressOf = (number: number): Wallet => `0x5${String(number).padStart(39, '0')}` as Wallet;

const FILL = `
  insert into splits (merchant, id, chain_id, address, recipients, verified, created_block, created_at, replaced_at)
  select $1, 'bench-' || i, $2, '0x5' || lpad(i::text, 39, '0'), '[]', true, 1, 1, 1 from generate_series(1, $3::int) i`;

/** The watcher on a chain of `blocks` blocks: how fast it catches up, and what each new block costs. */
export async function benchWatcher(
  environment: Environment,
  shop: Shop,
  { rounds, blocks }: { readonly rounds: number; readonly blocks: number },
  wanted: (line: { readonly name: string }) => boolean,
  add: (line: Line) => void,
): Promise<void> {
  const { db, deps } = environment;
  const tokens = defaultTokens(CHAIN_ID).filter(({ symbol }) => symbol === 'USDC');
  const node = await startProgram('chain-node.ts', {
    ...{ PATH: process.env.PATH, CHAIN_ID: String(CHAIN_ID), TOKEN: tokens[0]!.address! },
    ...{ PAY_TO: addressOf(1), PAYMENT_EVERY: String(PAYMENT_EVERY) },
  });
  try {
    const rpcUrl = `http://127.0.0.1:${node.port}`;
    const chain = createChain({ chainId: CHAIN_ID, rpcUrl, tokens, confirmations: 12 });
    await db.query(FILL, [shop.wallet, CHAIN_ID, SPLITS]);
    await db.query('vacuum analyze splits');
    const base = { ...deps, chain };
    const watched = watchAddresses(base);
    const watching: MatchDeps = { ...base, readRate: configuredRates(base), watched, createShares };
    const call = callerOf(rpcUrl);
    const measured = measuring(environment);

    if (wanted(WATCHER.catchUp)) {
      const each = Math.floor(blocks / rounds);
      await call('bench_setHead', [0]);
      await scan(watching);
      let [ourHead, theirHead] = [0, 0];
      const ours = async () => {
        ourHead += each;
        await call('bench_setHead', [ourHead]);
        return measured(each, async () => void (await scan(watching)));
      };
      const bare = async () => {
        const from = theirHead;
        theirHead += each;
        return measured(each, () => readBare(call, tokens[0]!.address!, from + 1, theirHead));
      };
      add({ ...WATCHER.catchUp, ...(await compare(rounds, ours, bare)) });
    }

    let head = blocks + 1;
    await call('bench_setHead', [head]);
    await scan(watching);
    const steady = (splits: number) => {
      const part = { ...watching, watched: partOf(watched, splits) };
      return () =>
        measured(STEADY_BLOCKS, async () => {
          for (let i = 0; i < STEADY_BLOCKS; i++) {
            head += 1;
            await call('bench_setHead', [head]);
            await scan(part);
          }
        });
    };
    for (const { splits, ...line } of WATCHER.steady.filter(wanted))
      add({ ...line, ...(await compare(rounds, steady(splits), steady(FEW))) });
  } finally {
    await node.stop();
  }
}

/** Some of the splits. */
function partOf(all: Watched, splits: number): Watched {
  return { ...all, ...watchlistOf(new Set([...all.splitters].slice(0, splits))) };
}

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

function callerOf(url: string): Rpc {
  return async (method, params) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { result: unknown };
    if (result === undefined) throw new Error(`${method} failed`);
    return result;
  };
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Reads the transfers of the token to all splits once, range by range, and keeps nothing. */
async function readBare(call: Rpc, address: string, from: number, to: number): Promise<void> {
  const topics = Array.from(
    { length: SPLITS },
    (_, i) =>
      `0x${addressOf(i + 1)
        .slice(2)
        .padStart(64, '0')}`,
  );
  const parts = Array.from({ length: SPLITS / RANGE }, (_, i) => topics.slice(i * RANGE, (i + 1) * RANGE));
  const hex = (block: number) => `0x${block.toString(16)}`;
  for (let at = from; at <= to; at += RANGE) {
    const range = { fromBlock: hex(at), toBlock: hex(Math.min(to, at + RANGE - 1)) };
    await Promise.all(
      parts.map((part) => call('eth_getLogs', [{ address, topics: [TRANSFER, null, part], ...range }])),
    );
  }
}

/** Measures work on blocks: its time, and the CPU time of this process and of PostgreSQL. */
const measuring =
  ({ databasePid }: Environment) =>
  async (blocks: number, work: () => Promise<void>): Promise<Round> => {
    const before = { cpu: process.cpuUsage(), database: cpuOfFamily(databasePid), at: performance.now() };
    await work();
    const seconds = (performance.now() - before.at) / 1_000;
    const { user, system } = process.cpuUsage(before.cpu);
    const databaseUs = (cpuOfFamily(databasePid) - before.database) / blocks;
    return { perSecond: blocks / seconds, serverUs: (user + system) / blocks, databaseUs };
  };
