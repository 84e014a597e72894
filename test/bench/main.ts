/**
 * `npm run bench`: how fast the server's hot paths are, as ratios to a bare twin in the same run. See
 * docs/contribute/performance.md.
 *
 *   --quick        short rounds: they show breakage, the figures are not reliable
 *   --json         one JSON value on stdout instead of the table
 *   --check        only compares the answers of server and twin, and measures nothing
 *   --only TEXT    only paths whose name contains the text
 *   --few          without the merchant that has a million receipts
 *   --no-peers     without the servers of other libraries
 *   --receipts N   the receipts of the merchant whose pages and exports are read (default: 100,000)
 *   --others N     the other merchants with as many receipts (default: 9)
 */
import { parseArgs } from 'node:util';
import { benchCharges, benchDueScan, CHARGES } from './charges.ts';
import { compareDeliveries } from './deliveries.ts';
import { type Environment, openEnvironment, openShop, type Shop } from './environment.ts';
import { benchFanOut, FAN_OUT } from './fan-out.ts';
import { type Contestant, contestant } from './measure.ts';
import { PATHS, type Path } from './paths.ts';
import { benchGraphqlPeers, GRAPHQL_PEERS, installPeers } from './peers.ts';
import { type BenchProgram, startProgram, startServer } from './programs.ts';
import { benchReceipts, RECEIPT_PATHS } from './receipts.ts';
import { compare } from './rounds.ts';
import { checkSameBytes } from './same-bytes.ts';
import { benchIdleSockets, benchResuming, SOCKETS } from './sockets.ts';
import { benchStatistics, STATISTICS } from './statistics.ts';
import { isMet, type Line, tableOf } from './table.ts';
import { benchHeartbeats, benchSearch, USER_PATHS } from './users.ts';
import { benchWatcher, WATCHER } from './watcher.ts';
import type { Load } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    check: { type: 'boolean' },
    only: { type: 'string', default: '' },
    few: { type: 'boolean' },
    'no-peers': { type: 'boolean' },
    receipts: { type: 'string' },
    others: { type: 'string', default: '9' },
  },
});
const { rounds, seconds, deliveries, charges, many, blocks } = options.quick
  ? { rounds: 3, seconds: 1, deliveries: 3_000, charges: 200, many: 100_000, blocks: 30_000 }
  : { rounds: 5, seconds: 3, deliveries: 20_000, charges: 1_000, many: 1_000_000, blocks: 1_000_000 };
const FEW = 1_000;
/** How much slower the same path may be where the merchant has a million receipts. */
const GROWTH = 1 / 1.3;
const WEBHOOKS = { name: 'webhook deliveries', goal: 2 };

const note = (text: string) => process.stderr.write(`${text}\n`);
const wanted = ({ name }: { name: string }) => name.includes(options.only);

async function run(environment: Environment): Promise<Line[]> {
  const few = await openShop(environment, 1, FEW);
  const server = await startServer(environment.env);
  const twin = await startProgram('twin.ts', environment.env);
  const userRounds = { rounds, seconds, many, databasePid: environment.databasePid };
  const peers = !options['no-peers'];
  const lines: Line[] = [];
  const add = (line: Line) => {
    lines.push(line);
    const cpu = line.cpuRatio === undefined ? '' : `, CPU ${line.cpuRatio.toFixed(2)}`;
    note(`${line.name} against ${line.against}: ${line.ratio.toFixed(2)}${cpu}`);
  };
  try {
    if (options.check) {
      for (const path of PATHS.filter(wanted)) {
        await checkSameBytes(path, ...loadsOf(server, twin, path, few));
        note(`${path.name}: the same answer`);
      }
      return lines;
    }
    if (peers && [...GRAPHQL_PEERS, ...FAN_OUT].some(wanted)) installPeers();
    for (const path of PATHS.filter(wanted)) add(await againstTwin(environment, server, twin, path, few));
    if (peers) await benchGraphqlPeers(environment, few, twin, { rounds, seconds }, GRAPHQL_PEERS.filter(wanted), add);
    if (wanted(STATISTICS)) add(await benchStatistics(environment, few, server, userRounds));
    if (wanted(WEBHOOKS)) {
      const result = await compareDeliveries(environment, few, rounds, deliveries);
      add({ ...WEBHOOKS, against: 'bare loop', ...result });
    }
    await benchFanOut(environment, few, { rounds, peers }, FAN_OUT.filter(wanted), add);
    if (wanted(SOCKETS.resume)) add(await benchResuming(environment, rounds));
    if (wanted(SOCKETS.idle)) add(await benchIdleSockets(environment));
    if (wanted(CHARGES.batch)) add(await benchCharges(environment, few, { rounds, batch: charges }));
    if (wanted(CHARGES.scan)) add(await benchDueScan(environment, few, { rounds, many }));
    if ([WATCHER.catchUp, ...WATCHER.steady].some(wanted))
      await benchWatcher(environment, few, { rounds, blocks }, wanted, add);
    if (wanted(USER_PATHS.heartbeats)) await benchHeartbeats(environment, userRounds, add);
    if (wanted(USER_PATHS.search)) await benchSearch(environment, userRounds, add);
    const receiptPaths = Object.values(RECEIPT_PATHS).some(
      ({ name }) => wanted({ name }) || options.only.startsWith(name),
    );
    if (receiptPaths) {
      const receipts = Number(options.receipts ?? many / 10);
      const others = Number(options.others);
      note(`inserting ${receipts} receipts for each of ${others + 1} merchants`);
      await benchReceipts(environment, server, { ...userRounds, receipts, others }, wanted, add);
    }
    if (!options.few && PATHS.some(wanted)) {
      note(`inserting ${many} receipts of one merchant`);
      const fresh = await openShop(environment, 2, FEW);
      const large = await openShop(environment, 3, many);
      for (const path of PATHS.filter(wanted)) add(await againstFew(environment, server, path, fresh, large));
    }
    return lines;
  } finally {
    await server.stop();
    await twin.stop();
  }
}

const measured = (environment: Environment, of: Contestant) =>
  contestant(of, { seconds, databasePid: environment.databasePid });

/** The requests of a path to the server and to its bare twin, about the same receipts. */
function loadsOf(server: BenchProgram, twin: BenchProgram, path: Path, shop: Shop): [Load, Load] {
  const { connections } = path;
  return [
    { port: server.port, connections, next: path.server(shop) },
    { port: twin.port, connections, next: path.twin(shop) },
  ];
}

/** The server and its bare twin, on the same receipts. */
async function againstTwin(
  environment: Environment,
  server: BenchProgram,
  twin: BenchProgram,
  path: Path,
  shop: Shop,
): Promise<Line> {
  const change = path.change?.(environment, shop);
  const [ourLoad, theirLoad] = loadsOf(server, twin, path, shop);
  await checkSameBytes(path, ourLoad, theirLoad);
  const ours = await measured(environment, { pid: server.pid, load: ourLoad, change });
  const theirs = await measured(environment, { pid: twin.pid, load: theirLoad, change });
  const { name, goal } = path;
  return { name, goal, against: 'bare twin', ...(await compare(rounds, ours, theirs)), memoryMiB: server.memoryMiB() };
}

/** The same path of the server for a merchant with many receipts and for one with few. */
async function againstFew(
  environment: Environment,
  { port, pid, memoryMiB }: BenchProgram,
  path: Path,
  few: Shop,
  large: Shop,
): Promise<Line> {
  const of = (shop: Shop) =>
    measured(environment, {
      pid,
      load: { port, connections: path.connections, next: path.server(shop) },
      change: path.change?.(environment, shop),
    });
  const result = await compare(rounds, await of(large), await of(few));
  const name = `${path.name} (${many} receipts)`;
  return { name, against: `${FEW} receipts`, goal: GROWTH, ...result, memoryMiB: memoryMiB() };
}

const environment = await openEnvironment();
try {
  const lines = await run(environment);
  const refused = lines.filter(({ ours, theirs }) => (ours.refused ?? 0) + (theirs.refused ?? 0) > 0);
  const shown = lines.map((line) => ({ ...line, met: isMet(line) }));
  process.stdout.write(`${options.json ? JSON.stringify({ rounds, seconds, lines: shown }) : tableOf(lines)}\n`);
  for (const { name } of refused) note(`${name}: some responses were errors; do not use the figures`);
  if (refused.length > 0) process.exitCode = 1;
} finally {
  await environment.stop();
}
