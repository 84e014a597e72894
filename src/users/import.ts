import { Refusal, refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { storePictures } from '../images/store.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { type UserLine, userLine } from './import.input.ts';
import { type Line, linesOf } from './read-lines.ts';
import { searchName } from './upsert-user.ts';

/** The result of an import. */
export interface ImportReport {
  /** Lines that are not empty. */
  readonly lines: number;
  /** Lines that were imported; each line counts, also several with the same wallet. */
  readonly imported: number;
  readonly refused: number;
  /** The first lines that were refused, and why. */
  readonly faults: readonly ImportFault[];
}

export interface ImportFault {
  readonly line: number;
  readonly reason: string;
}

/** How many faults a report lists. */
export const MAX_FAULTS = 100;
/** The maximum line length: a profile with the largest picture. */
const MAX_LINE_BYTES = 512 * 1024;
/** The maximum number of users and of bytes that one statement writes. */
const BATCH = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Omitted fields keep their value or get the default. Rows are locked and written in wallet order, so that concurrent
 * imports do not deadlock.
 */
const IMPORT = statement(
  'users-import',
  `with x as materialized (
     select * from json_to_recordset($1::text::json) as x(
       wallet text, "displayName" text, "searchName" text, "pfpUrl" text, bio text, xp float8, domains text[], platforms text[],
       languages text[], live boolean, "spacePublic" boolean, "spaceUrl" text, platform text, "liveSince" bigint, "lastSeen" bigint,
       "lastHeartbeat" bigint, "createdAt" bigint)),
   u as materialized (select * from users where wallet in (select wallet from x) order by wallet for no key update)
   insert into users (wallet, display_name, search_name, pfp_url, bio, xp, domains, platforms, languages, live, space_public, space_url, platform,
                      live_since, last_seen, last_heartbeat, version, created_at, updated_at)
   select x.wallet, coalesce(x."displayName", u.display_name, ''), coalesce(x."searchName", u.search_name, ''),
          coalesce(x."pfpUrl", u.pfp_url, ''), coalesce(x.bio, u.bio, ''), coalesce(x.xp, u.xp, 0), coalesce(x.domains, u.domains, '{}'),
          coalesce(x.platforms, u.platforms, '{}'), coalesce(x.languages, u.languages, '{}'), coalesce(x.live, u.live, false),
          coalesce(x."spacePublic", u.space_public, false), coalesce(x."spaceUrl", u.space_url, ''), coalesce(x.platform, u.platform, ''),
          case when coalesce(x.live, u.live) then coalesce(x."liveSince", u.live_since, x."lastHeartbeat", $2) end,
          greatest(x."lastSeen", u.last_seen),
          greatest(x."lastHeartbeat", u.last_heartbeat, case when x.live and x."lastHeartbeat" is null then $2::bigint end),
          coalesce(u.version, 0) + 1, coalesce(u.created_at, x."createdAt", $2), $2
     from x left join u on u.wallet = x.wallet
    order by x.wallet
   on conflict (wallet) do update set
     display_name = excluded.display_name, search_name = excluded.search_name, pfp_url = excluded.pfp_url, bio = excluded.bio,
     xp = excluded.xp, domains = excluded.domains, platforms = excluded.platforms, languages = excluded.languages, live = excluded.live,
     space_public = excluded.space_public, space_url = excluded.space_url, platform = excluded.platform, live_since = excluded.live_since,
     last_seen = excluded.last_seen, last_heartbeat = excluded.last_heartbeat, version = excluded.version, updated_at = excluded.updated_at`,
);

/**
 * Imports users from JSON lines: `{"wallet": "0x…", "displayName": "…", "xp": 100, …}`. Existing users are updated, so
 * importing the same file again changes nothing. An invalid line is refused and the others are imported. Refuses with
 * `datastore_unavailable`.
 *
 * @param progress is called after each batch with the number of lines read
 */
export async function importUsers(
  deps: Pick<Deps, 'sql' | 'clock'>,
  chunks: AsyncIterable<Buffer>,
  progress: (lines: number) => void = () => {},
): Promise<ImportReport> {
  const faults: ImportFault[] = [];
  let lines = 0;
  let refused = 0;
  let batch = new Map<string, UserLine>();
  let batchBytes = 0;
  /** One batch is written while the next one is read. */
  let writing: Promise<unknown> = Promise.resolve();

  async function write(): Promise<void> {
    await writing;
    progress(lines);
    if (batch.size === 0) return;
    writing = writeUsers(deps, [...batch.values()]);
    // The next `await writing` reports the error; this handler only prevents an unhandled rejection.
    writing.catch(() => {});
    batch = new Map();
    batchBytes = 0;
  }

  for await (const line of linesOf(chunks, MAX_LINE_BYTES)) {
    if (line.text?.trim() === '') continue;
    lines += 1;
    try {
      const user = parseLine(line);
      batch.set(user.wallet, { ...batch.get(user.wallet), ...user });
      batchBytes += line.text?.length ?? 0;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused += 1;
      if (faults.length < MAX_FAULTS) faults.push({ line: line.number, reason: error.message });
    }
    if (batch.size >= BATCH || batchBytes >= BATCH_BYTES) await write();
  }
  await write();
  await writing;
  return { lines, imported: lines - refused, refused, faults };
}

/** Stores the pictures of a batch that came as data URIs, then writes the batch. */
async function writeUsers(deps: Pick<Deps, 'sql' | 'clock'>, users: readonly UserLine[]): Promise<void> {
  const pictures = users.flatMap(({ pfpUrl }) => (pfpUrl?.startsWith('data:') ? [pfpUrl] : []));
  const paths = pictures.length > 0 ? await storePictures(deps, pictures) : null;
  const rows = users.map((user) => {
    const path = user.pfpUrl === undefined ? undefined : paths?.get(user.pfpUrl);
    return rowOf(path === undefined ? user : { ...user, pfpUrl: path });
  });
  await deps.sql.rows(IMPORT, [JSON.stringify(rows), deps.clock()]);
}

/** Parses a line. Omitted fields are absent from the result. */
function parseLine({ text }: Line): UserLine {
  if (text === null) throw refuse('invalid_input', `is longer than ${MAX_LINE_BYTES / 1024} KiB`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('invalid_input', 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('invalid_input', 'is not a JSON object');
  const user = parseInput(userLine, value);
  return Object.fromEntries(Object.entries(user).filter(([, given]) => given !== undefined)) as UserLine;
}

const rowOf = (user: UserLine) =>
  user.displayName === undefined ? user : { ...user, searchName: searchName(user.displayName) };
