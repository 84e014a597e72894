import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDeps } from '../../src/app/deps.ts';
import { completeSettings } from '../../src/app/settings.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { csrfToken } from '../../src/domain/access/gateway/csrf.ts';
import { openSession, SESSION_COOKIE } from '../../src/domain/access/gateway/session.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { setPresence } from '../../src/domain/people/users/test/requests.ts';
import { registerMerchant } from '../../src/domain/shop/merchants/register.ts';
import { startRedis } from '../support/services/redis.ts';
import type { Environment } from './environment.ts';
import { contestant, type Measuring } from './measure.ts';
import { type BenchProgram, startProgram, startServer } from './programs.ts';
import { get, post } from './requests.ts';
import { type Comparison, compare } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of users. */
export const USER_PATHS = {
  heartbeats: { name: 'heartbeats', against: 'node:http + ioredis', goal: 0.7 },
  search: { name: 'GET /api/users/search', against: 'bare twin', goal: 0.6 },
} as const;

export interface UserRounds extends Measuring {
  readonly rounds: number;
  /** How many users there are. */
  readonly many: number;
}

const FEW = 10_000;
/** How much slower a search may be among many users than among few. */
const GROWTH = 1 / 1.3;
const SESSIONS = 1_000;
const HEARTBEAT_CONNECTIONS = 64;
const SEARCH_CONNECTIONS = 16;
const SEARCH = '?q=7&languages=en&limit=25';

const lineOf = (row: { name: string; against: string; goal: number }, result: Comparison, memoryMiB: number): Line => ({
  name: row.name,
  against: row.against,
  goal: row.goal,
  memoryMiB,
  ...result,
});

/**
 * Heartbeats of signed-in wallets through the public mutation, against a server that only writes them into a sorted
 * set.
 */
export async function benchHeartbeats(
  environment: Environment,
  rounds: UserRounds,
  add: (line: Line) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bench-redis-'));
  const redis = await startRedis(folder);
  const env = { ...environment.env, REDIS_URL: redis.redisUrl };
  const deps = await openDeps(completeSettings(readConfig(env), environment.deps.settings), createLog('error'));
  const server = await startServer(env);
  const twin = await startProgram('heartbeat-twin.ts', env);
  try {
    const ours: Buffer[] = [];
    const theirs: Buffer[] = [];
    for (let n = 0; n < SESSIONS; n++) {
      const wallet = `0x${(0xbea70000 + n).toString(16).padStart(40, '0')}` as Wallet;
      await setPresence(deps, wallet, { live: true, spacePublic: true });
      const { id, token } = await deps.db.transaction((uow) => openSession(deps, uow, { wallet, merchant: null }));
      const proof = { cookie: `${SESSION_COOKIE}=${token}`, 'x-csrf-token': csrfToken(deps.settings, id) };
      ours.push(post('/api/graphql', { query: 'mutation { heartbeat }' }, proof));
      theirs.push(post('/', { wallet }));
    }
    const measured = ({ port, pid }: BenchProgram, requests: readonly Buffer[]) => {
      let n = 0;
      const next = () => requests[n++ % SESSIONS] as Buffer;
      return contestant({ pid, load: { port, connections: HEARTBEAT_CONNECTIONS, next } }, rounds);
    };
    const result = await compare(rounds.rounds, await measured(server, ours), await measured(twin, theirs));
    add(lineOf(USER_PATHS.heartbeats, result, server.memoryMiB()));
  } finally {
    await server.stop();
    await twin.stop();
    await deps.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A search among many users, against a server that runs the same SQL, and against the same search among few. */
export async function benchSearch(
  environment: Environment,
  rounds: UserRounds,
  add: (line: Line) => void,
): Promise<void> {
  const many = await openSearch(environment, 'users_many', rounds.many);
  const few = await openSearch(environment, 'users_few', FEW);
  const twin = await startProgram('search-twin.ts', { ...environment.env, DATABASE_URL: many.databaseUrl });
  try {
    // One of the found users changes once for every ten searches, so that no response can simply be kept.
    const measured = ({ port, pid }: BenchProgram, request: Buffer, change: () => Promise<unknown>) =>
      contestant({ pid, load: { port, connections: SEARCH_CONNECTIONS, next: () => request }, change }, rounds);
    const ofTwin = await measured(twin, get(`/${SEARCH}`), many.change);
    const ofMany = await measured(many.server, many.request, many.change);
    const ofFew = await measured(few.server, few.request, few.change);
    const memoryMiB = () => many.server.memoryMiB();
    add(lineOf(USER_PATHS.search, await compare(rounds.rounds, ofMany, ofTwin), memoryMiB()));
    const growth = { name: `${USER_PATHS.search.name} (${rounds.many} users)`, against: `${FEW} users`, goal: GROWTH };
    add(lineOf(growth, await compare(rounds.rounds, ofMany, ofFew), memoryMiB()));
  } finally {
    await twin.stop();
    await many.stop();
    await few.stop();
  }
}

/** A server on a database of its own with so many users. */
async function openSearch(environment: Environment, name: string, users: number) {
  await environment.db.query(`create database ${name}`);
  const databaseUrl = Object.assign(new URL(environment.deps.settings.databaseUrl), { pathname: `/${name}` }).href;
  const env = { ...environment.env, DATABASE_URL: databaseUrl };
  const deps = await openDeps(
    completeSettings(readConfig(env), { ...environment.deps.settings, databaseUrl }),
    createLog('error'),
  );
  const wallet = `0x${'5'.repeat(40)}` as Wallet;
  await registerMerchant(deps, { wallet, name: 'Bench' });
  const { key } = await issueKey(deps, { merchant: wallet, scopes: ['users:read'], unlimited: true });
  await deps.close();
  await fill(databaseUrl, users);
  const request = get(`/api/users/search${SEARCH}`, { 'ocp-apim-subscription-key': key });
  const server = await startServer(env);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  return {
    databaseUrl,
    request,
    server,
    /** Changes the first user that the search finds. */
    change: () => db.query(CHANGE),
    async stop() {
      await db.end();
      await server.stop();
    },
  };
}

const CHANGE = {
  name: 'bench-change',
  text: `update users set updated_at = updated_at + 1
          where wallet = (select wallet from (select * from users order by xp desc, wallet limit 400) scanned
                           where strpos(search_name, '7') > 0 and languages @> '{en}' order by xp desc, wallet limit 1)`,
};

const CHUNK = 100_000;

/** XP has nothing to do with the order in which users came, so that those of a search lie all over the table. */
const INSERT = `
  insert into users (wallet, display_name, search_name, bio, xp, domains, platforms, languages, created_at, updated_at)
  select '0x' || lpad(to_hex(n), 40, '0'), 'User ' || n, 'user ' || n, 'Made for the bench', (n * 7919::bigint) % 1000003,
         array[(array['art', 'music', 'code', 'math'])[1 + n % 4], 'bench'], array['web'],
         case when n % 3 = 0 then array['en', 'fr'] else array['en'] end, 1700000000000 + n, 1700000000000 + n
    from generate_series($1::int, $2::int) n`;

async function fill(databaseUrl: string, users: number): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  for (let from = 1; from <= users; from += CHUNK) await db.query(INSERT, [from, Math.min(from + CHUNK - 1, users)]);
  await db.query('vacuum analyze users');
  await db.end();
}
