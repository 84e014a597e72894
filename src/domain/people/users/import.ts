import { type Selectable, sql } from 'kysely';
import { malformed, Refusal } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import { parseJson } from '../../../base/core/json.ts';
import { fold } from '../../../base/core/text.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type UserLine, userLine } from './import.input.ts';
import { storeProfilePictures } from './profile-pictures.ts';

type ImportDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

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

interface ImportFault {
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

/** What a line may omit: its type, and the default of a new user. An existing user keeps its value. */
const FIELDS = {
  displayName: ['text', ''],
  searchName: ['text', ''],
  pfpUrl: ['text', ''],
  bio: ['text', ''],
  xp: ['float8', 0],
  domains: ['text[]', '{}'],
  platforms: ['text[]', '{}'],
  languages: ['text[]', '{}'],
  live: ['bool', false],
  spacePublic: ['bool', false],
  spaceUrl: ['text', ''],
  platform: ['text', ''],
} as const;
const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
const TIMES = ['liveSince', 'lastSeen', 'lastHeartbeat'] as const;

/** The columns of a line: `wallet text, "displayName" text, …`. */
const LINE_COLUMNS = sql.join([
  sql`wallet text`,
  ...FIELD_NAMES.map((name) => sql`${sql.id(name)} ${sql.raw(FIELDS[name][0])}`),
  ...[...TIMES, 'createdAt'].map((name) => sql`${sql.id(name)} int8`),
]);

/** Rows are locked and written in wallet order, so that concurrent imports do not deadlock. */
const IMPORT = query('users-import', (db, $: { lines: string; at: number }) =>
  db
    .with(
      (cte) => cte('x').materialized(),
      (cte) =>
        cte
          .selectFrom(
            sql<Selectable<Database['User']>>`json_to_recordset(${$.lines}::text::json)`.as<'line'>(
              sql`line(${LINE_COLUMNS})`,
            ),
          )
          .selectAll(),
    )
    .with(
      (cte) => cte('u').materialized(),
      (cte) =>
        cte
          .selectFrom('User')
          .select(['wallet', ...FIELD_NAMES, ...TIMES, 'version', 'createdAt'])
          .where('wallet', 'in', (eb) => eb.selectFrom('x').select('wallet'))
          .orderBy('wallet')
          .forNoKeyUpdate(),
    )
    .insertInto('User')
    .columns(['wallet', ...FIELD_NAMES, ...TIMES, 'version', 'createdAt', 'updatedAt'])
    .expression((from) =>
      from
        .selectFrom('x')
        .leftJoin('u', 'u.wallet', 'x.wallet')
        .select('x.wallet')
        .select(({ ref }) =>
          FIELD_NAMES.map((name) => {
            const initial = sql.lit(FIELDS[name][1]);
            return sql`coalesce(${ref(`x.${name}`)}, ${ref(`u.${name}`)}, ${initial})`.as(name);
          }),
        )
        .select(({ ref }) => [
          sql`case when coalesce(${ref('x.live')}, ${ref('u.live')})
            then coalesce(${ref('x.liveSince')}, ${ref('u.liveSince')}, ${ref('x.lastHeartbeat')}, ${$.at}) end`.as(
            'liveSince',
          ),
          sql`greatest(${ref('x.lastSeen')}, ${ref('u.lastSeen')})`.as('lastSeen'),
          sql`greatest(${ref('x.lastHeartbeat')}, ${ref('u.lastHeartbeat')},
            case when ${ref('x.live')} and ${ref('x.lastHeartbeat')} is null then ${$.at}::int8 end)`.as(
            'lastHeartbeat',
          ),
          sql`coalesce(${ref('u.version')}, 0) + 1`.as('version'),
          sql`coalesce(${ref('u.createdAt')}, ${ref('x.createdAt')}, ${$.at})`.as('createdAt'),
          sql`${$.at}::int8`.as('updatedAt'),
        ])
        .orderBy('x.wallet'),
    )
    .onConflict((conflict) =>
      conflict.column('wallet').doUpdateSet(({ ref }) => {
        const overwritten = [...FIELD_NAMES, ...TIMES, 'version', 'updatedAt'] as const;
        return Object.fromEntries(overwritten.map((name) => [name, ref(`excluded.${name}`)]));
      }),
    ),
);

/**
 * Imports users from JSON lines: `{"wallet": "0x…", "displayName": "…", "xp": 100, …}`. Existing users are updated, so
 * importing the same file again changes nothing. An invalid line is refused and the others are imported. Refuses with
 * `datastore_unavailable`.
 *
 * @param progress is called after each batch with the number of lines read
 */
export async function importUsers(
  deps: ImportDeps,
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
async function writeUsers(deps: ImportDeps, users: readonly UserLine[]): Promise<void> {
  const paths = await storeProfilePictures(
    deps,
    users.flatMap(({ pfpUrl }) => pfpUrl || []),
  );
  const rows = users.map((user) =>
    rowOf(user.pfpUrl === undefined ? user : { ...user, pfpUrl: paths.get(user.pfpUrl) ?? '' }),
  );
  await deps.db.run(IMPORT, { lines: JSON.stringify(rows), at: deps.clock() });
}

/** Parses a line. Omitted fields are absent from the result. */
function parseLine({ text }: Line): UserLine {
  if (text === null) throw malformed(`is longer than ${MAX_LINE_BYTES / 1024} KiB`);
  const value = parseJson(text);
  if (value === undefined) throw malformed('is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('is not a JSON object');
  const user = parseInput(userLine, value);
  return Object.fromEntries(Object.entries(user).filter(([, given]) => given !== undefined)) as UserLine;
}

const rowOf = (user: UserLine) =>
  user.displayName === undefined ? user : { ...user, searchName: fold(user.displayName) };

/** One line of a chunked text, without the line ending; `text` is null if the line is too long. */
export interface Line {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string | null;
}

const LF = 0x0a;

/**
 * Splits bytes into lines. It buffers at most `maxBytes` of a line, so that a file without line endings cannot exhaust
 * memory.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void, void> {
  let held: Buffer[] = [];
  let length = 0;
  let number = 0;
  const hold = (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) held = [];
    else held.push(piece);
  };
  const take = (): Line => {
    const text = length > maxBytes ? null : Buffer.concat(held).toString('utf8').replace(/\r$/, '');
    held = [];
    length = 0;
    number += 1;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      hold(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
