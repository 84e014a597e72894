/**
 * `npm run bench`: how fast the server's hot paths are, as ratios to a bare twin in the same run. See
 * docs/performance.md.
 *
 *   --quick        short rounds: to see whether something broke, not to believe
 *   --json         one JSON value on stdout instead of the table
 *   --only TEXT    only what has this in its name
 *   --few          without the merchant that has a million receipts
 */
import { parseArgs } from 'node:util';
import { benchCharges, benchDueScan, CHARGES } from './charges.ts';
import { duelOfDeliveries } from './deliveries.ts';
import { benchFanOut, FAN_OUT } from './fan-out.ts';
import { type Ground, openGround, openShop, type Shop } from './ground.ts';
import { type Load, runLoad } from './load.ts';
import { PATHS, type Path } from './paths.ts';
import { type Listening, startProgram, startServer } from './processes.ts';
import { type Duel, duel } from './rounds.ts';
import { type Line, tableOf } from './table.ts';
import { benchHeartbeats, benchSearch, USER_PATHS } from './users.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string', default: '' },
    few: { type: 'boolean' },
  },
});
const { rounds, durationMs, warmUpMs, deliveries, charges, many } = options.quick
  ? { rounds: 3, durationMs: 800, warmUpMs: 200, deliveries: 3_000, charges: 200, many: 100_000 }
  : { rounds: 5, durationMs: 3_000, warmUpMs: 500, deliveries: 20_000, charges: 1_000, many: 1_000_000 };
const userRounds = { rounds, durationMs, warmUpMs, many };
const FEW = 1_000;
/** How much slower the same path may be where the merchant has a million receipts. */
const GROWTH = 1 / 1.3;
const WEBHOOKS = { name: 'webhook deliveries', goal: 0.7 };

const tell = (text: string) => process.stderr.write(`${text}\n`);
const wanted = ({ name }: { name: string }) => name.includes(options.only);

async function run(ground: Ground): Promise<Line[]> {
  const few = await openShop(ground, 1, FEW);
  const server = await startServer(ground.env);
  const twin = await startProgram('twin.ts', ground.env);
  try {
    const lines: Line[] = [];
    const add = (line: Line) => {
      lines.push(line);
      tell(`${line.name} against ${line.against}: ${line.ratio.toFixed(2)}`);
    };
    for (const path of PATHS.filter(wanted)) add(await againstTwin(ground, server, twin, path, few));
    if (wanted(WEBHOOKS))
      add(line(WEBHOOKS.name, 'bare loop', WEBHOOKS.goal, await duelOfDeliveries(ground, few, rounds, deliveries)));
    await benchFanOut(ground, few, rounds, FAN_OUT.filter(wanted), add);
    if (wanted(CHARGES.batch)) add(await benchCharges(ground, few, { rounds, batch: charges }));
    if (wanted(CHARGES.scan)) add(await benchDueScan(ground, few, { rounds, many }));
    if (wanted(USER_PATHS.heartbeats)) await benchHeartbeats(ground, userRounds, add);
    if (wanted(USER_PATHS.search)) await benchSearch(ground, userRounds, add);
    if (!options.few && PATHS.some(wanted)) {
      tell(`inserting ${many} receipts of one merchant`);
      const fresh = await openShop(ground, 2, FEW);
      const large = await openShop(ground, 3, many);
      for (const path of PATHS.filter(wanted)) add(await againstFew(ground, server, path, fresh, large));
    }
    return lines;
  } finally {
    await server.stop();
    await twin.stop();
  }
}

function line(name: string, against: string, goal: number, result: Duel, memoryMiB?: number): Line {
  return { name, against, goal, met: result.ratio >= goal, memoryMiB, ...result };
}

const load = (ground: Ground, port: number, path: Path, shop: Shop, next: () => Buffer): Promise<Load> => {
  const before = path.between?.(ground, shop);
  const request = before
    ? () => {
        before();
        return next();
      }
    : next;
  return runLoad({ port, connections: path.connections, durationMs, warmUpMs, next: request });
};

/** The server against its bare twin, on the same receipts. */
async function againstTwin(ground: Ground, server: Listening, twin: Listening, path: Path, shop: Shop): Promise<Line> {
  const ours = () => load(ground, server.port, path, shop, path.server(shop));
  const theirs = () => load(ground, twin.port, path, shop, path.twin(shop));
  await ours();
  await theirs();
  return line(path.name, 'bare twin', path.goal, await duel(rounds, ours, theirs), server.memoryMiB());
}

/** The server asked for a merchant with very many receipts, against itself asked for one with few. */
async function againstFew(ground: Ground, server: Listening, path: Path, few: Shop, large: Shop): Promise<Line> {
  const of = (shop: Shop) => () => load(ground, server.port, path, shop, path.server(shop));
  // The first round of the large shop reads its rows from disk.
  await of(large)();
  const result = await duel(rounds, of(large), of(few));
  return line(`${path.name} (${many} receipts)`, `${FEW} receipts`, GROWTH, result, server.memoryMiB());
}

const ground = await openGround();
try {
  const lines = await run(ground);
  const refused = lines.filter(({ ours, theirs }) => (ours.refused ?? 0) + (theirs.refused ?? 0) > 0);
  process.stdout.write(`${options.json ? JSON.stringify({ rounds, durationMs, lines }) : tableOf(lines)}\n`);
  for (const { name } of refused) tell(`${name}: not every answer was 200; its figures mean nothing`);
  if (refused.length > 0) process.exitCode = 1;
} finally {
  await ground.stop();
}
