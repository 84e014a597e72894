/**
 * The bare twin of the search for users: plain `node:http` and a `pg` pool with the very SQL of the search, prepared.
 * Started by the bench with `PORT` and `DATABASE_URL`.
 */
import { createServer } from 'node:http';
import pg from 'pg';

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const SEARCH = {
  name: 'search',
  text: `
    select wallet, display_name as "displayName", pfp_url as "pfpUrl", bio, xp, domains, platforms, languages,
           live, space_public as "spacePublic", space_url as "spaceUrl", platform, live_since as "liveSince", last_seen as "lastSeen",
           last_heartbeat as "lastHeartbeat", followers_count as "followersCount", following_count as "followingCount", version,
           created_at as "createdAt", updated_at as "updatedAt", count(*) over () as total
      from (select * from users order by xp desc, wallet limit $1) scanned
     where (strpos(search_name, $3) > 0 or strpos(wallet, $3) > 0) and languages @> $4::text[]
     order by xp desc, wallet limit $2`,
};

interface Row {
  wallet: string;
  displayName: string;
  pfpUrl: string;
  xp: number;
  live: boolean;
  lastSeen: number | null;
  lastHeartbeat: number | null;
  domains: string[];
  platforms: string[];
  languages: string[];
  total: number;
}

createServer(async (request, response) => {
  const { searchParams } = new URL(request.url as string, 'http://twin');
  const words = (searchParams.get('languages') ?? '').split(',').filter((word) => word !== '');
  const values = [400, Number(searchParams.get('limit') ?? 25), (searchParams.get('q') ?? '').toLowerCase(), words];
  const { rows } = await pool.query<Row>({ ...SEARCH, values });
  const users = rows.map((row) => ({
    wallet: row.wallet,
    displayName: row.displayName,
    pfpUrl: row.pfpUrl,
    xp: row.xp,
    live: row.live,
    lastSeen: row.lastSeen,
    lastHeartbeat: row.lastHeartbeat,
    domains: row.domains,
    platforms: row.platforms,
    languages: row.languages,
  }));
  const json = JSON.stringify({ users, total: rows[0]?.total ?? 0 });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
}).listen(Number(process.env.PORT), '127.0.0.1');
