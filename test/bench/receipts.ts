import type { Wallet } from '../../src/base/core/wallet.ts';
import type { Db } from '../../src/base/platform/db.ts';
import type { Deps } from '../../src/base/platform/deps.ts';
import type { Query } from '../../src/base/platform/postgres/query.ts';
import { receiptFilter } from '../../src/domain/reports/receipt-search/filter.input.ts';
import { listFound } from '../../src/domain/reports/receipt-search/find-receipts.ts';
import { NEWEST } from '../../src/domain/reports/receipt-search/order.ts';
import { cpuOfFamily, cpuOfProcess } from './cpu.ts';
import { type Environment, openShop, type Shop } from './environment.ts';
import { contestant, type Measuring } from './measure.ts';
import { type BenchProgram, startProgram, startServer } from './programs.ts';
import { get } from './requests.ts';
import { compare, type Round, weighed } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of reading receipts. */
export const RECEIPT_PATHS = {
  pages: { name: 'GET /api/receipts by', goal: 0.6 },
  /** Rows per second. */
  exports: { name: 'GET /api/exports/receipts', goal: 0.5 },
  memory: { name: 'memory of an export beyond one of 10,000 rows', against: '20 MiB', goal: 1 },
} as const;

export interface ReceiptRounds extends Measuring {
  readonly rounds: number;
  /** The receipts of the merchant. */
  readonly receipts: number;
  /** The other merchants with as many. */
  readonly others: number;
}

const FEW = 1_000;
/** How much slower a page may be for a merchant with many receipts. */
const GROWTH = 1 / 1.3;
const CONNECTIONS = 16;
const PAGE = 50;

/** Filters that many receipts of a large shop meet, and the search box. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  statuses: { statuses: 'completed' },
  origin: { origin: 'order' },
  createdTo: { createdTo: '1700000000900' },
  paidTo: { paidTo: '1700000000900' },
  totalMin: { totalMin: '100' },
  transactionId: { transactionId: 'cart-7' },
  buyerEmail: { buyerEmail: 'user7@shop.test' },
  sku: { sku: 'BENCH-1' },
  needsAttention: { needsAttention: 'true' },
  'q, whole': { q: 'user7@shop.test' },
  'q, beginning': { q: 'user' },
};

const EXPORT = '/api/exports/receipts?order=asc';
/** The rows of an export that is small. */
const FEW_ROWS = 10_000;
/** How much more memory an export of all rows may use. */
const MEMORY_LIMIT_MIB = 20;
/** When the first receipt of a shop was created; each later one follows after a millisecond. */
const FIRST_MS = 1_700_000_000_000;

const headersOf = ({ key }: Shop) => ({ 'ocp-apim-subscription-key': key });

/** Pages of receipts by filters, and exports. */
export async function benchReceipts(
  environment: Environment,
  server: BenchProgram,
  rounds: ReceiptRounds,
  wanted: (path: { name: string }) => boolean,
  add: (line: Line) => void,
): Promise<void> {
  const few = await openSearchedShop(environment, 21, FEW);
  const large = await openSearchedShop(environment, 22, rounds.receipts);
  for (let i = 0; i < rounds.others; i++) await openSearchedShop(environment, 23 + i, rounds.receipts);
  await environment.db.query('vacuum analyze receipts, receipt_search, receipt_terms');
  // What the insertion has left to write would disturb the first rounds.
  await environment.db.query('checkpoint');
  const statements: Record<string, readonly Statement[]> = {};
  for (const name of Object.keys(FILTERS)) statements[name] = await statementsOf(environment.deps, large, name);
  const twin = await startProgram('receipts-twin.ts', { ...environment.env, STATEMENTS: JSON.stringify(statements) });
  try {
    for (const [name, filter] of Object.entries(FILTERS)) {
      const row = { name: `${RECEIPT_PATHS.pages.name} ${name}` };
      if (!wanted(row)) continue;
      const page = (shop: Shop) => {
        const query = new URLSearchParams({ limit: String(PAGE), ...filter });
        const request = get(`/api/receipts?${query}`, headersOf(shop));
        const load = { port: server.port, connections: CONNECTIONS, next: () => request };
        return contestant({ pid: server.pid, load }, rounds);
      };
      const request = get(`/page?name=${encodeURIComponent(name)}`);
      const load = { port: twin.port, connections: CONNECTIONS, next: () => request };
      const theirs = await contestant({ pid: twin.pid, load }, rounds);
      const ours = await page(large);
      const memoryMiB = server.memoryMiB();
      const { goal } = RECEIPT_PATHS.pages;
      add({ ...row, goal, against: 'bare twin', memoryMiB, ...(await compare(rounds.rounds, ours, theirs)) });
      const growth = { name: `${row.name} (${rounds.receipts} receipts)`, against: `${FEW} receipts`, goal: GROWTH };
      add({ ...growth, memoryMiB, ...(await compare(rounds.rounds, ours, await page(few))) });
    }
    if (wanted(RECEIPT_PATHS.exports)) {
      const exported = (program: BenchProgram, url: string) => () => download(program, url, headersOf(large), rounds);
      const ours = exported(server, EXPORT);
      const theirs = exported(twin, `/export?merchant=${large.wallet}`);
      const result = await compare(rounds.rounds, ours, theirs);
      add({ ...RECEIPT_PATHS.exports, against: 'bare twin', memoryMiB: server.memoryMiB(), ...result });
    }
    if (wanted(RECEIPT_PATHS.memory)) {
      const addedMiB = await weighExport(environment, large, rounds);
      const name = `${RECEIPT_PATHS.memory.name}: ${Math.round(addedMiB)} MiB`;
      add({ ...RECEIPT_PATHS.memory, name, ...weighed(MEMORY_LIMIT_MIB / Math.max(addedMiB, 1)) });
    }
  } finally {
    await twin.stop();
  }
}

/** Reads a whole export. Rows are what is counted. */
async function download(
  { port, pid }: BenchProgram,
  path: string,
  headers: Record<string, string>,
  { databasePid }: Measuring,
): Promise<Round> {
  const before = { server: cpuOfProcess(pid), database: cpuOfFamily(databasePid), at: performance.now() };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
  let rows = -1;
  for await (const chunk of response.body) rows += linesIn(chunk);
  return {
    perSecond: (rows * 1000) / (performance.now() - before.at),
    serverUs: (cpuOfProcess(pid) - before.server) / rows,
    databaseUs: (cpuOfFamily(databasePid) - before.database) / rows,
  };
}

/**
 * By how much the peak of a fresh server's memory is higher in an export of all rows than in small exports of as many
 * rows together, for which memory is sampled as often. The small ones come first, because a server keeps for a while
 * what a large one has used.
 */
async function weighExport({ env }: Environment, shop: Shop, rounds: ReceiptRounds): Promise<number> {
  const server = await startServer(env);
  const exportOf = (url: string) => () => download(server, url, headersOf(shop), rounds);
  const small = exportOf(`${EXPORT}&createdTo=${FIRST_MS + FEW_ROWS}`);
  const manySmall = async () => {
    for (let rows = 0; rows < rounds.receipts; rows += FEW_ROWS) await small();
  };
  try {
    // The server grows to what it uses in any case.
    await manySmall();
    const peakMiB = await peakMemoryMiB(server, manySmall);
    return (await peakMemoryMiB(server, exportOf(EXPORT))) - peakMiB;
  } finally {
    await server.stop();
  }
}

/** The most memory that a server uses while some work is done, sampled often. */
async function peakMemoryMiB(server: BenchProgram, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, server.memoryMiB());
  }, 20);
  await work();
  clearInterval(sample);
  return peak;
}

const NEWLINE = 10;

/** Costs little, as the reader shares the processor with the server. */
function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that the server runs for a page, with their values. */
async function statementsOf(deps: Deps, { wallet }: Shop, name: string): Promise<Statement[]> {
  const ran: Statement[] = [];
  const db = () => {
    throw new Error('compiled at the start');
  };
  const run = <Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters) =>
    deps.db.run(query, parameters).then((rows) => {
      const { text, values } = query.compile(db);
      ran.push({ name: query.name, text, values: values(parameters) });
      return rows;
    });
  const filter = receiptFilter.parse(FILTERS[name]);
  const searching = { ...deps, db: { ...deps.db, run } as Db };
  await listFound(searching, wallet, filter, NEWEST).read({ limit: PAGE + 1 });
  return ran;
}

/**
 * A shop whose receipts the search knows, as the indexer writes them. Each filter has a whole page of the few receipts.
 */
async function openSearchedShop(environment: Environment, number: number, receipts: number): Promise<Shop> {
  const shop = await openShop(environment, number, receipts);
  const { db } = environment;
  await db.query(SEARCH_ROWS, [shop.wallet satisfies Wallet]);
  await db.query(TERMS, [shop.wallet]);
  return shop;
}

const SEARCH_ROWS = `
  insert into receipt_search (merchant, id, seq, created_at, facet, total_cents, paid_at, attention, reference,
    buyer_email, hashes, skus, terms)
  select merchant, id, 1, created_at, case when n % 3 = 0 then 'pending' else 'completed' end || '/order/USD',
         1000 + n * 37 % 50000, case when n % 3 > 0 then created_at + 5 end, n % 19 = 0, 'cart-' || n % 19,
         'user' || n % 19 || '@shop.test', '{}', array['BENCH-1', 'BENCH-2', 'BENCH-3'],
         array[lower(id), 'cart-' || n % 19, 'user' || n % 19 || '@shop.test', 'bench-1', 'bench-2', 'bench-3']
    from (select *, created_at - 1700000000000 as n from receipts where merchant = $1) r`;
/** In order of time, as they are written one by one. In any other order each row goes to a page that is not cached. */
const TERMS = `
  insert into receipt_terms (merchant, entry, created_at, receipt_id)
  select distinct merchant, entry, created_at, id from receipt_search,
         unnest(array(select '=' || term from unnest(terms) term)
           || array['^cart', '^user', '^' || left(buyer_email, 8), '^benc', '^bench-1', '^bench-2', '^bench-3']) entry
   where merchant = $1 order by created_at`;
