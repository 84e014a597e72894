import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, type Source } from './sources.ts';

/**
 * A step that takes away what the version before used. It comes one release after the last use. One of them has its
 * name from before this rule.
 */
const CONTRACT = /^Migration(?:\d{14}_contract_|20261122210000_drop_seen_from\b)/;
const ONLINE = /extends OnlineMigration\b/;

/** Defaults that PostgreSQL evaluates once, so that it does not rewrite the rows. */
const CONSTANT = /^(?:'(?:[^']|'')*'(?:::[\w[\]]+)?|-?[\d.]+|true|false|null|now\(\)|current_\w+)(?![\w(])/i;

interface Rule {
  /** Group 1, if there is one, is the table. New tables of the same migration may be changed freely. */
  readonly form: RegExp;
  readonly instead: string;
  /** Whether a contract step may do it. */
  readonly inContract?: boolean;
}

const ALTER = String.raw`\balter table (?:if exists )?(?:only )?(\w+)\b[^;]*?`;
const rule = (form: string, instead: string, inContract = false): Rule => ({
  form: new RegExp(form, 'i'),
  instead,
  inContract,
});

const RULES: readonly Rule[] = [
  rule(
    String.raw`\bcreate (?:unique )?index (?!concurrently)(?:if not exists )?\w+\s+on (?:only )?(\w+)`,
    'a plain CREATE INDEX stops every write: extend OnlineMigration and call createIndex',
  ),
  rule(
    String.raw`\b(?:create (?:unique )?|drop )index concurrently`,
    'it leaves an invalid index behind when it fails: call createIndex or dropIndex of OnlineMigration',
  ),
  rule(
    String.raw`\bdrop index (?!concurrently)`,
    'it stops every statement on the table: call dropIndex of OnlineMigration',
  ),
  rule(
    String.raw`${ALTER}\badd (?:column )?(?:if not exists )?\w+[^,;]*\b(?:generated (?:always|by default) as|serial|bigserial)\b`,
    'an identity or generated column rewrites the table under a lock: call addIdentity of OnlineMigration',
  ),
  rule(
    String.raw`${ALTER}\balter (?:column )?\w+ (?:set data )?type\b`,
    'a new type rewrites the table under a lock: add a column, fill it in batches, and drop the old one in a contract step',
  ),
  rule(
    String.raw`${ALTER}\badd (?:constraint \w+ )?(?:check|foreign key)\b(?![^;]*\bnot valid\b)`,
    'it reads the whole table under a lock: call addCheck of OnlineMigration, or add it as NOT VALID',
  ),
  rule(
    String.raw`${ALTER}\badd (?:constraint \w+ )?(?:primary key|unique|exclude)\b(?! using index)`,
    'it builds its index under a lock: call setKey of OnlineMigration',
  ),
  rule(
    String.raw`${ALTER}\b(?:rename\b|drop (?:column )?(?!constraint\b|not null\b|default\b|column\b)\w)`,
    'the version before still uses it: name the file Migration…_contract_…, one release after the last use',
    true,
  ),
  rule(
    String.raw`\bdrop (?:table|view|type|function)\b`,
    'the version before still uses it: name the file Migration…_contract_…, one release after the last use',
    true,
  ),
  rule(
    String.raw`\bupdate (?!of\b)(\w+)(?: (?:as )?\w+)? set\b|\bdelete from (\w+)`,
    'it locks every row of the table until the end: call inBatches or updateInBatches of OnlineMigration',
  ),
  rule(
    String.raw`${ALTER}\balter (?:column )?\w+ set not null`,
    'it reads the whole table under a lock: call setNotNull of OnlineMigration',
  ),
  rule(String.raw`\b(?:vacuum full|cluster|reindex|lock table|truncate)\b`, 'it locks the whole table'),
];

/** What only an online migration must keep: it runs again as a whole when it fails between two statements. */
const REPEATABLE = /\b(?:create (?:table|sequence|(?:unique )?index)|add column) (?!if not exists|concurrently)/i;
/** What locks the table that it names until the end of its transaction. */
const LOCKS = /\b(?:alter table|create (?:unique )?index (?:if not exists )?\w+ on) (?:if exists )?(?:only )?(\w+)/gi;

/** Migrations that lock a table while they read, rewrite or index it, or that cannot run again. */
export function migrationFaults(files: readonly Source[] = migrations()): string[] {
  return files.flatMap(({ path, text }) => {
    const statements = statementsIn(text);
    const created = new Set(matches(statements, /\bcreate table (?:if not exists )?(\w+)/gi));
    const faults = [
      ...statements.flatMap((statement) => ruleFaults(statement, { name: nameOf(path), created, text })),
      ...statements.flatMap((statement) => volatileDefaults(statement, created)),
      ...(ONLINE.test(text) ? repeatFaults(statements) : severalTables(statements, created)),
    ];
    return faults.map((fault) => `${path}: ${fault}`);
  });
}

const migrations = (): Source[] =>
  readdirSync(join(root, 'migrations')).map((file) => ({
    path: join('migrations', file),
    text: readFileSync(join(root, 'migrations', file), 'utf8'),
  }));

const nameOf = (path: string): string => path.split('/').at(-1) as string;

const matches = (statements: readonly string[], form: RegExp): string[] =>
  statements.flatMap((statement) => [...statement.matchAll(form)].map(([, name]) => name as string));

/** The SQL of a migration: its texts, with single spaces and names without quotes. */
function statementsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) texts.push(node.getText());
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('migration.ts', source, ts.ScriptTarget.Latest, true));
  return texts.map((text) => text.replace(/\s+/g, ' ').replace(/"(\w+)"/g, '$1'));
}

function ruleFaults(
  statement: string,
  file: { readonly name: string; readonly created: ReadonlySet<string>; readonly text: string },
): string[] {
  return RULES.flatMap(({ form, instead, inContract }) => {
    const found = form.exec(statement);
    if (!found || (inContract && CONTRACT.test(file.name))) return [];
    const table = found[1] ?? found[2];
    if (table !== undefined && file.created.has(table)) return [];
    // `inBatches` gets the update as its text. A block that commits holds a row only until then.
    const isBrief = file.text.includes('inBatches(') || /^do .* commit; end loop;/i.test(statement);
    // The body of a function runs later.
    if (/^(?:update|delete) /i.test(found[0]) && /^create or replace function /i.test(statement.trim())) return [];
    if (/^update /i.test(found[0]) && ONLINE.test(file.text) && isBrief) return [];
    return [`"${found[0]}": ${instead}`];
  });
}

/** `add column … default random()` and its like, which rewrite every row. */
function volatileDefaults(statement: string, created: ReadonlySet<string>): string[] {
  const table = /\balter table (?:if exists )?(?:only )?(\w+)/i.exec(statement)?.[1];
  if (table === undefined || created.has(table)) return [];
  return statement
    .split(/,\s*(?=add\b)/i)
    .map((clause) => /\badd (?:column )?(?:if not exists )?(\w+).*?\bdefault (.*)$/i.exec(clause))
    .flatMap((found) => (found && !CONSTANT.test(found[2] as string) ? [found[1] as string] : []))
    .map((column) => `"${column}": a default that differs by row rewrites the table under a lock: add it without`);
}

const repeatFaults = (statements: readonly string[]): string[] =>
  statements
    .flatMap((statement) => REPEATABLE.exec(statement) ?? [])
    .map((found) => `"${found}": an online migration must be able to run again: add IF NOT EXISTS`);

/**
 * A transaction that locks a second table waits for a request that has used that one and waits for the first. Neither
 * goes on, and so again at each retry.
 */
function severalTables(statements: readonly string[], created: ReadonlySet<string>): string[] {
  const tables = new Set(matches(statements, LOCKS).filter((table) => !created.has(table)));
  if (tables.size < 2) return [];
  return [`"${[...tables].join('", "')}": requests lock them in another order: extend OnlineMigration`];
}
