import { productOf, type Source, sources } from './sources.ts';

/** A table with the file of its entity. */
interface Table {
  readonly entity: string;
  readonly table: string;
  readonly path: string;
}

interface Use {
  readonly name: string;
  readonly writes: boolean;
  /** The feature of the function that the table is handed to. It may write its own tables for others. */
  readonly through?: string;
}

/** Calls of the query builder that name a table by its entity, and whether they write. */
const CALLS: Readonly<Record<string, boolean>> = {
  selectFrom: false,
  from: false,
  using: false,
  innerJoin: false,
  leftJoin: false,
  rightJoin: false,
  fullJoin: false,
  crossJoin: false,
  innerJoinLateral: false,
  leftJoinLateral: false,
  insertInto: true,
  updateTable: true,
  deleteFrom: true,
  mergeInto: true,
};
/** Functions that write the table which an argument names, each with the file that defines it. */
const WRITERS: Readonly<Record<string, string>> = {
  lastUsesOf: 'src/base/platform/last-uses.ts',
  defineFollower: 'src/domain/sales/receipts/follower.ts',
};
const WRITER = new RegExp(`\\b(${Object.keys(WRITERS).join('|')})\\(([^)]*)\\)`, 'g');
const QUOTED = /'([A-Z]\w+)'/g;
/** The type of a choice of tables: a function of the file takes a table as an argument. */
const TABLE_CHOICE = /\[keyof Database\]/;
const CALL = new RegExp(`\\.(${Object.keys(CALLS).join('|')})\\(\\s*(\\[[^\\]]*\\]|'[^']+')`, 'g');
const ENTITY = /\b[A-Z]\w*/g;
/** Table names in SQL. `from` and `join` may be followed by a list. */
const SQL =
  /\b(insert\s+into|delete\s+from|update|from|join|lock\s+table|truncate|using)\s+((?:only\s+)?[a-z_]+(?:\s+(?:as\s+)?[a-z]\w*)?(?:\s*,\s*[a-z_]+(?:\s+(?:as\s+)?[a-z]\w*)?)*)/gi;
const WRITING_SQL = /^(?:insert|delete|update|truncate)/i;
const TABLE_FILE = /\.entity\.ts$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** Every table of the project. */
function tablesIn(files: readonly Source[]): Table[] {
  return files
    .filter(({ path }) => TABLE_FILE.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^\s{2}name: '(\w+)',\s+tableName: '(\w+)'/gm)].map(([, entity, table]) => ({
        entity: entity as string,
        table: table as string,
        path,
      })),
    );
}

/** The part of the product that a file belongs to: a district, or a folder of a district that has no files itself. */
function featureOf(path: string): string {
  const [, tier, district, ...rest] = path.split('/');
  const whole = rest.length < 2 || WHOLE_DISTRICTS.has(`${tier}/${district}`);
  return whole ? `${tier}/${district}` : `${tier}/${district}/${rest[0]}`;
}

const WHOLE_DISTRICTS = new Set(
  sources()
    .map(({ path }) => path.split('/'))
    .filter((parts) => parts.length === 4)
    .map(([, tier, district]) => `${tier}/${district}`),
);

/** For each use of a table, the file that uses it and the file that declares it. */
export function tableReads(files: readonly Source[]): { from: string; to: string }[] {
  const byName = byNames(tablesIn(files));
  return files
    .filter(({ path }) => !TABLE_FILE.test(path))
    .flatMap(({ path, text }) =>
      usesIn(text).flatMap(({ name }) => {
        const table = byName.get(name);
        return table ? [{ from: path, to: table.path }] : [];
      }),
    );
}

/** Tables by the names of their entities and by their names in SQL. */
const byNames = (tables: readonly Table[]): ReadonlyMap<string, Table> =>
  new Map(tables.flatMap((table) => [[table.entity, table] as const, [table.table, table] as const]));

/**
 * Statements that write a table of another feature. The owner of a table exports functions for what others need. A
 * table that is handed to a function counts as written by the caller.
 */
export function tableFaults(
  files: readonly Source[] = sources(),
  tables: readonly Table[] = tablesIn(files),
): string[] {
  const byName = byNames(tables);
  const faults = new Set<string>();
  for (const { path, text } of productOf(files)) {
    if (TABLE_FILE.test(path)) continue;
    const feature = featureOf(path);
    if (TABLE_CHOICE.test(text) && !Object.values(WRITERS).includes(path))
      faults.add(`${path}: takes a table as an argument: name the function in WRITERS of test/gates/table-owners.ts`);
    for (const { name, writes, through } of usesIn(text)) {
      const table = byName.get(name);
      if (!table || !writes) continue;
      const owner = featureOf(table.path);
      if (owner !== feature && owner !== through) faults.add(`${path}: ${feature} must not write ${name} of ${owner}`);
    }
  }
  return [...faults];
}

function usesIn(source: string): Use[] {
  const text = source.replace(COMMENT, '');
  const calls = [...text.matchAll(CALL)].flatMap(([, call, argument]) =>
    [...(argument as string).matchAll(ENTITY)].map(([name]) => ({ name, writes: CALLS[call as string] as boolean })),
  );
  const written = [...text.matchAll(SQL)].flatMap(([, verb, list]) =>
    (list as string).split(',').map((entry) => ({
      name: entry
        .trim()
        .replace(/^only\s+/i, '')
        .split(/\s/)[0] as string,
      writes: WRITING_SQL.test(verb as string),
    })),
  );
  const handed = [...text.matchAll(WRITER)].flatMap(([, writer, given]) =>
    [...(given as string).matchAll(QUOTED)].map(([, name]) => ({
      name: name as string,
      writes: true,
      through: featureOf(WRITERS[writer as string] as string),
    })),
  );
  return [...calls, ...written, ...handed];
}
