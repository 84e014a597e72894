import { buildSchema, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, test } from 'vitest';
import { breaksBetween, unnamedBreaks } from './breaking.ts';
import { guardedFieldFaults } from './guarded-fields.ts';
import { importFaults } from './imports.ts';
import { descriptionFaults } from './schema.ts';
import { floatFaults, idFaults, vocabularyFaults } from './schema-types.ts';
import { scriptFaults } from './scripts.ts';
import { generatedFaults, generatedLines, sizeFaults } from './size.ts';
import { tableFaults } from './table-owners.ts';
import { proseFaults } from './width.ts';
import { wordFaults } from './words.ts';

test('an import from a later folder is reported', () => {
  const planted = [{ path: 'src/core/money.ts', text: "import { priceOrder } from '../orders/totals.ts';\n" }];
  expect(importFaults(planted)).toEqual(['src/core/money.ts: core must not import from orders (src/orders/totals.ts)']);
});

test('a type-only import and a folder without a place in the order are reported', () => {
  const planted = [
    { path: 'src/chain/client.ts', text: "import type { Deps } from '../platform/deps.ts';\n" },
    { path: 'src/misc/any.ts', text: '' },
  ];
  expect(importFaults(planted)).toHaveLength(2);
});

test('imports within the order pass', () => {
  expect(
    importFaults([{ path: 'src/orders/totals.ts', text: "import { applyRate } from '../core/money.ts';\n" }]),
  ).toEqual([]);
});

const schema =
  'type Query { cup(size: Int): Cup lid: Lid @deprecated } type Cup { id: ID! glaze: Glaze } type Lid { id: ID! } enum Glaze { MATT GLOSS }';

test('a change that breaks clients of the schema is reported', () => {
  const changed = (from: string, to: string) => breaksBetween(schema, schema.replace(from, to));
  expect(changed('id: ID! glaze', 'glaze')).toEqual(['Cup.id was removed.']);
  expect(changed('size: Int', 'size: Int!')).toHaveLength(1);
  expect(changed(' GLOSS', '')).toHaveLength(1);
  expect(changed('id: ID! glaze', 'id: ID glaze')).toHaveLength(1);
});

test('a breaking change passes only if the changelog names it for the next release', () => {
  const after = schema
    .replace('cup(size: Int)', 'cup(size: Int!)')
    .replace('id: ID! glaze', 'glaze')
    .replace(' GLOSS', '');
  const breaks = breaksBetween(schema, after);
  const entries = '### Breaking (GraphQL)\n\n- `Query.cup(size:)`, `Cup.id`\n- `Glaze.GLOSS`\n\n';
  const changelog = (next: string, last: string) => `# Changelog\n\n## [Unreleased]\n\n${next}## [1.0.0]\n\n${last}`;
  expect(breaks).toHaveLength(3);
  expect(unnamedBreaks(breaks, changelog(entries, ''))).toEqual([]);
  expect(unnamedBreaks(breaks, changelog(entries.replace('`Cup.id`', ''), ''))).toEqual(['Cup.id was removed.']);
  expect(unnamedBreaks(breaks, changelog('### Added\n\n- `Cup.id`\n\n', entries))).toEqual(breaks);
});

test('a Float without known fractions is reported, and so is a known one that is gone', () => {
  const prices = buildSchema('type Query { cup(size: Int): Cup } type Cup { price: Float height: Float }');
  expect(floatFaults(prices, { 'major units': ['Cup.price', 'Query.cup(size:)'] })).toEqual([
    'schema.graphql: Cup.height is a Float: use Int, SafeInt, Millis or Usd, or list its fractions',
    'test/gates/schema-types.ts: Query.cup(size:) is not a Float of the schema',
  ]);
});

test('an entity without an id is reported, and so is an id that is not of type ID', () => {
  const cups = buildSchema(
    'type Query { cup(cupId: String): Cup } type Cup { id: ID! shelfId: String chainId: Int lid: Lid } type Lid { id: ID }',
  );
  expect(idFaults(cups, { 'a part of its parent': ['Cup'] })).toEqual([
    'schema.graphql: Lid has no id: ID!, and is not listed as a value',
    'test/gates/schema-types.ts: Cup is no type without an id',
    'schema.graphql: Query.cup(cupId:) is not of type ID',
    'schema.graphql: Cup.shelfId is not of type ID',
  ]);
});

test('a text with the name of a closed vocabulary is reported unless its words are open', () => {
  const cups = buildSchema(
    'type Query { cups(lastStatus: String): [String] } type Cup { kind: String state: Glaze } enum Glaze { MATT }',
  );
  expect(vocabularyFaults(cups, { 'a word of the merchant': ['Cup.kind', 'Cup.state'] })).toEqual([
    'schema.graphql: Query.cups(lastStatus:) is a String: make its vocabulary an enum, or list it as open',
    'test/gates/schema-types.ts: Cup.state is not a String of the schema',
  ]);
});

test('a field that a guard may refuse is reported unless it is nullable', () => {
  const guarded = (authScopes: object, grantScopes?: string[]) => ({
    extensions: { pothosOptions: { authScopes, grantScopes } },
  });
  const of = (type: GraphQLObjectType | typeof GraphQLString, field: object = {}) => ({
    type: new GraphQLNonNull(type),
    ...field,
  });
  const lid = new GraphQLObjectType({ name: 'Lid', ...guarded({ admin: true }), fields: { size: of(GraphQLString) } });
  const cup = new GraphQLObjectType({
    name: 'Cup',
    ...guarded({ admin: true, key: true }),
    fields: { lid: of(lid), size: of(GraphQLString), glaze: of(GraphQLString, guarded({ admin: true })) },
  });
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: { cup: of(cup, guarded({ key: true })), open: of(GraphQLString, guarded({ public: true })) },
  });
  expect(guardedFieldFaults(new GraphQLSchema({ query }))).toEqual([
    'schema.graphql: Query.cup may be refused by a guard: make it nullable',
    'schema.graphql: Cup.lid may be refused by a guard: make it nullable',
    'schema.graphql: Cup.glaze may be refused by a guard: make it nullable',
  ]);
});

test('a type, field, argument, input or enum value without a description is reported', () => {
  const described = '"A." type Query { "A." cup("A." size: Int): Cup } "A." enum Cup { "A." MATT }';
  expect(descriptionFaults(buildSchema(described))).toEqual([]);
  for (const [bare, name] of [
    [described.replace('"A." cup', 'cup'), 'Query.cup'],
    [described.replace('"A." size', 'size'), 'Query.cup(size)'],
    [described.replace('"A." MATT', 'MATT'), 'Cup.MATT'],
    [described.replace('"A." enum', 'enum'), 'Cup'],
  ] as const)
    expect(descriptionFaults(buildSchema(bare))).toEqual([`schema.graphql: ${name} has no description`]);
});

test('additions pass, and so does the removal of deprecated fields and their types', () => {
  expect(breaksBetween(schema, schema.replace('glaze:', 'colour: String glaze:'))).toEqual([]);
  const without = schema.replace('lid: Lid @deprecated', '').replace('type Lid { id: ID! }', '');
  expect(breaksBetween(schema, without)).toEqual([]);
  expect(breaksBetween(schema.replace('@deprecated', ''), without)).toHaveLength(2);
});

test('a word that a reader has to decode is caught in comments, texts and documents, with a plain one', () => {
  const planted = [
    { path: 'src/orders/totals.ts', text: '/** Whoever asks is told the total. */\nconst toldTotal = 1;\n' },
    { path: 'docs/live.md', text: 'The total is computed anew.\n' },
  ];
  expect(wordFaults(planted)).toEqual([
    'src/orders/totals.ts:1: "Whoever": write a caller, a client or a process instead',
    'src/orders/totals.ts:1: "told": write notified, reported or recorded instead',
    'docs/live.md:1: "anew": write again instead',
  ]);
});

const tables = [
  { entity: 'Merchant', table: 'merchants', folder: 'merchants' },
  { entity: 'Receipt', table: 'receipts', folder: 'receipts' },
];
const tableFaultsOf = (path: string, text: string) => tableFaults([{ path, text }], tables);

test('a statement that writes a table of another folder, or reads one of a later folder, is reported', () => {
  expect(tableFaultsOf('src/payments/late.ts', "db.updateTable('Receipt').set({ status: 'paid' })")).toEqual([
    'src/payments/late.ts: payments must not write Receipt of receipts',
  ]);
  expect(tableFaultsOf('src/payments/late.ts', 'sql`with a as (select 1) insert into receipts select 1`')).toEqual([
    'src/payments/late.ts: payments must not write receipts of receipts',
  ]);
  expect(tableFaultsOf('src/merchants/read.ts', "db.selectFrom(['Merchant as m', 'Receipt as r'])")).toEqual([
    'src/merchants/read.ts: merchants must not read Receipt of receipts',
  ]);
  expect(tableFaultsOf('src/merchants/read.ts', 'sql`select 1 from merchants m, receipts r`')).toHaveLength(1);
  expect(tableFaultsOf('src/merchants/read.ts', 'uow.em.nativeDelete(Receipt, {})')).toHaveLength(1);
});

test('a table that is handed to a function which writes it is reported, unless caller or function own it', () => {
  const fault = 'src/payments/late.ts: payments must not write Merchant of merchants';
  expect(tableFaultsOf('src/payments/late.ts', "lastUsesOf('late', 'Merchant')")).toEqual([fault]);
  expect(tableFaultsOf('src/payments/late.ts', "defineFollower('Merchant', 'late', 1)")).toEqual([fault]);
  expect(tableFaultsOf('src/merchants/used.ts', "lastUsesOf('used', 'Merchant')")).toEqual([]);
  expect(tableFaultsOf('src/payments/late.ts', "defineFollower('Receipt', 'late', 1)")).toEqual([]);
  const choice = 'type Dated = { [Name in keyof Database]: Name }[keyof Database];';
  expect(tableFaultsOf('src/platform/dates.ts', choice)).toEqual([
    'src/platform/dates.ts: takes a table as an argument: name the function in WRITERS of test/gates/table-owners.ts',
  ]);
});

test('a statement that reads a table of an earlier folder, or uses its own, passes', () => {
  expect(tableFaultsOf('src/payments/late.ts', "db.selectFrom('Receipt as r').innerJoin('Merchant as m')")).toEqual([]);
  expect(tableFaultsOf('src/receipts/book.ts', "db.insertInto('Receipt')")).toEqual([]);
  expect(tableFaultsOf('src/merchants/read.ts', '/** Reads nothing from receipts. */')).toEqual([]);
});

test('a line of prose that is too wide is reported; tables and code may be wide', () => {
  const wide = 'word '.repeat(30);
  expect(proseFaults({ path: 'docs/live.md', text: `Short.\n${wide}\n` })).toEqual([
    'docs/live.md:2: wider than 120 columns: wrap it',
  ]);
  expect(proseFaults({ path: 'docs/live.md', text: `| ${wide} |\n\`\`\`sh\n${wide}\n\`\`\`\n` })).toEqual([]);
});

test('a file and a function that are too long are reported, unless the function is a test’s', () => {
  const long = `const start = () => {\n${'  draw();\n'.repeat(80)}};\n`;
  expect(sizeFaults([{ path: 'src/orders/place.ts', text: long }])).toEqual([
    'src/orders/place.ts:1: a function of 82 lines, more than the maximum of 80: cut it',
  ]);
  expect(sizeFaults([{ path: 'src/orders/place.test.ts', text: long }])).toEqual([]);
  expect(sizeFaults([{ path: 'src/orders/totals.ts', text: '\n'.repeat(400) }])).toHaveLength(1);
});

test('a script beyond the fourteenth, one that does not install first, and a mention of none are reported', () => {
  const install = 'src/cli/install.js --dev && node work.ts';
  const run = 'npm run';
  const scripts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`work${i}`, install]));
  expect(scriptFaults(scripts(14), [])).toEqual([]);
  expect(scriptFaults({ ...scripts(14), pretest: install }, [])).toEqual([
    'package.json: 15 scripts, more than the maximum of 14: merge some',
  ]);
  expect(scriptFaults({ lint: 'biome check', test: 'src/cli/install.js && src/cli/main.ts' }, [])).toEqual([
    'package.json: the script lint does not begin with src/cli/install.js',
    'src/cli/main.ts is not executable: chmod +x',
  ]);
  expect(scriptFaults({ lint: install }, [{ path: 'docs/live.md', text: `${run} lint, ${run} lint:css` }])).toEqual([
    `docs/live.md: there is no script for "${run} lint:css"`,
  ]);
});

test('generated lines in git are counted, and reported beyond the maximum', () => {
  expect(generatedLines()).toBeGreaterThan(100);
  expect(generatedFaults(4_000)).toEqual([]);
  expect(generatedFaults(4_001)).toEqual([
    'src: 4001 generated lines in git, more than the maximum of 4000: make them in a build',
  ]);
});
