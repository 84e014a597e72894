import { buildSchema, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, test } from 'vitest';
import { breaksBetween, unnamedBreaks } from './breaking.ts';
import { fragmentFaults, fragments } from './fragments.ts';
import { guardedFieldFaults } from './guarded-fields.ts';
import { measured, measureFaults } from './house.ts';
import { importFaults } from './imports.ts';
import { descriptionFaults } from './schema.ts';
import { floatFaults, idFaults, vocabularyFaults } from './schema-types.ts';
import { scriptFaults } from './scripts.ts';
import { generatedFaults, generatedLines, sizeFaults } from './size.ts';
import { tableFaults } from './table-owners.ts';
import { proseFaults } from './width.ts';
import { wordFaults } from './words.ts';

test('an import from a later district is reported, type-only ones too', () => {
  const planted = [
    { path: 'src/base/core/money.ts', text: "import { priceOrder } from '../../domain/sales/orders/totals.ts';\n" },
    { path: 'src/base/chain/client.ts', text: "import type { Deps } from '../platform/deps.ts';\n" },
  ];
  expect(importFaults(planted)).toEqual([
    'src/base/core/money.ts: base/core must not need domain/sales (src/domain/sales/orders/totals.ts)',
    'src/base/chain/client.ts: base/chain must not need base/platform (src/base/platform/deps.ts)',
  ]);
});

test('a folder without a place in the order is reported', () => {
  expect(importFaults([{ path: 'src/misc/any.ts', text: '' }])).toEqual([
    'src/misc/any.ts: has no place in the order of tiers and districts',
  ]);
});

test('imports within the order pass', () => {
  const planted = [
    { path: 'src/domain/sales/orders/totals.ts', text: "import { applyRate } from '../../../base/core/money.ts';\n" },
  ];
  expect(importFaults(planted)).toEqual([]);
});

test('a circle is reported at every level, between folders and with the files of their parent', () => {
  const folder = 'src/doors/pages/console';
  const planted = [
    { path: `${folder}/plans/page.tsx`, text: "import { Item } from '../catalog/item.tsx';\n" },
    { path: `${folder}/catalog/item.tsx`, text: "import { pages } from '../registry.ts';\n" },
    { path: `${folder}/registry.ts`, text: "import { page } from './plans/page.tsx';\n" },
    { path: `${folder}/start/page.tsx`, text: "import { pages } from '../registry.ts';\n" },
  ];
  expect(importFaults(planted)).toEqual([
    `${folder}: a circle of ., catalog, plans: put what they share below, what joins them above`,
  ]);
  expect(importFaults(planted.slice(1))).toEqual([]);
});

test('who reads a table needs the file that declares it', () => {
  const table = { path: 'src/domain/sales/orders/cup.entity.ts', text: "  name: 'Cup',\n  tableName: 'cups',\n" };
  const read = (path: string, text: string) => importFaults([table, { path, text }]);
  expect(read('src/domain/shop/tax/read.ts', 'sql`select 1 from merchants m, cups c`')).toEqual([
    'src/domain/shop/tax/read.ts: domain/shop must not need domain/sales (src/domain/sales/orders/cup.entity.ts)',
  ]);
  expect(read('src/domain/shop/tax/read.ts', "db.selectFrom(['Merchant as m', 'Cup as c'])")).toHaveLength(1);
  expect(read('src/domain/payments/quotes/late.ts', "db.selectFrom('Cup as c')")).toEqual([]);
  expect(read('src/domain/shop/tax/read.ts', '/** Reads nothing from cups. */')).toEqual([]);
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
    {
      path: 'src/domain/sales/orders/totals.ts',
      text: '/** Whoever asks is told the total. */\nconst toldTotal = 1;\n',
    },
    { path: 'docs/integrate/live.md', text: 'The total is computed anew.\n' },
  ];
  expect(wordFaults(planted)).toEqual([
    'src/domain/sales/orders/totals.ts:1: "Whoever": write a caller, a client or a process instead',
    'src/domain/sales/orders/totals.ts:1: "told": write notified, reported or recorded instead',
    'docs/integrate/live.md:1: "anew": write again instead',
  ]);
});

const tables = [
  { entity: 'Merchant', table: 'merchants', path: 'src/domain/shop/merchants/merchant.entity.ts' },
  { entity: 'Receipt', table: 'receipts', path: 'src/domain/sales/receipts/receipt.entity.ts' },
];
const LATE = 'src/domain/payments/matching/late.ts';
const tableFaultsOf = (path: string, text: string) => tableFaults([{ path, text }], tables);

test('a statement that writes a table of another feature is reported', () => {
  expect(tableFaultsOf(LATE, "db.updateTable('Receipt').set({ status: 'paid' })")).toEqual([
    `${LATE}: domain/payments/matching must not write Receipt of domain/sales/receipts`,
  ]);
  expect(tableFaultsOf(LATE, 'sql`with a as (select 1) insert into receipts select 1`')).toEqual([
    `${LATE}: domain/payments/matching must not write receipts of domain/sales/receipts`,
  ]);
});

test('a table that is handed to a function which writes it is reported, unless caller or function own it', () => {
  const fault = `${LATE}: domain/payments/matching must not write Merchant of domain/shop/merchants`;
  expect(tableFaultsOf(LATE, "lastUsesOf('late', 'Merchant')")).toEqual([fault]);
  expect(tableFaultsOf(LATE, "defineFollower('Merchant', 'late', 1)")).toEqual([fault]);
  expect(tableFaultsOf('src/domain/shop/merchants/used.ts', "lastUsesOf('used', 'Merchant')")).toEqual([]);
  expect(tableFaultsOf(LATE, "defineFollower('Receipt', 'late', 1)")).toEqual([]);
  const choice = 'type Dated = { [Name in keyof Database]: Name }[keyof Database];';
  expect(tableFaultsOf('src/base/platform/dates.ts', choice)).toEqual([
    'src/base/platform/dates.ts: takes a table as an argument: name the function in WRITERS of test/gates/table-owners.ts',
  ]);
});

test('a statement that reads a table, or writes one of its own feature, passes', () => {
  expect(tableFaultsOf(LATE, "db.selectFrom('Receipt as r').innerJoin('Merchant as m')")).toEqual([]);
  expect(tableFaultsOf('src/domain/sales/receipts/book.ts', "db.insertInto('Receipt')")).toEqual([]);
  expect(tableFaultsOf('src/domain/shop/merchants/read.ts', '/** Reads nothing from receipts. */')).toEqual([]);
});

test('a line of prose that is too wide is reported; tables and code may be wide', () => {
  const wide = 'word '.repeat(30);
  expect(proseFaults({ path: 'docs/integrate/live.md', text: `Short.\n${wide}\n` })).toEqual([
    'docs/integrate/live.md:2: wider than 120 columns: wrap it',
  ]);
  expect(proseFaults({ path: 'docs/integrate/live.md', text: `| ${wide} |\n\`\`\`sh\n${wide}\n\`\`\`\n` })).toEqual([]);
});

test('a file and a function that are too long are reported, unless the function is a test’s', () => {
  const long = `const start = () => {\n${'  draw();\n'.repeat(120)}};\n`;
  expect(sizeFaults([{ path: 'src/domain/sales/orders/place.ts', text: long }])).toEqual([
    'src/domain/sales/orders/place.ts:1: a function of 122 lines, more than the maximum of 120: cut it',
  ]);
  expect(sizeFaults([{ path: 'src/domain/sales/orders/place.test.ts', text: long }])).toEqual([]);
  expect(sizeFaults([{ path: 'src/domain/sales/orders/totals.ts', text: '\n'.repeat(700) }])).toHaveLength(1);
});

test('a small file that serves one neighbour only is reported, unless it is a part of its own', () => {
  const folder = 'src/domain/sales/orders';
  const cup = { path: `${folder}/cup.ts`, text: 'export const cup = 1;\n' };
  const user = { path: `${folder}/place.ts`, text: "import { cup } from './cup.ts';\n" };
  const beside = (...further: { path: string; text: string }[]) => fragments([cup, user, ...further]);
  expect(beside()).toEqual([{ path: cup.path, importer: user.path, lines: 1 }]);
  expect(fragmentFaults([cup, user], 0)).toEqual([
    `${cup.path}: 1 lines that serve ${user.path} only: merge them into it`,
  ]);
  expect(fragmentFaults([cup, user], 1)).toEqual([]);
  // A second importer; its own test; an importer in another folder; a first use that loads it.
  expect(beside({ path: 'src/doors/rest/mount.ts', text: "import '../../domain/sales/orders/cup.ts';\n" })).toEqual([]);
  expect(beside({ path: `${folder}/cup.test.ts`, text: "import { cup } from './cup.ts';\n" })).toEqual([]);
  expect(fragments([cup, { ...user, path: `${folder}/book/place.ts`, text: "import '../cup.ts';\n" }])).toEqual([]);
  expect(beside({ path: `${folder}/later.ts`, text: "const load = () => import('./cup.ts');\n" })).toEqual([]);
  // A test is no importer, and a part that every feature has is no fragment.
  expect(beside({ path: `${folder}/place.test.ts`, text: "import { cup } from './cup.ts';\n" })).toHaveLength(1);
  expect(fragments([{ ...cup, text: 'cup();\n'.repeat(60) }, user])).toEqual([]);
  const input = { path: `${folder}/cup.input.ts`, text: '' };
  expect(fragments([input, { ...user, text: "import './cup.input.ts';\n" }])).toEqual([]);
});

test('a script beyond the fifteenth, one that does not install first, and a mention of none are reported', () => {
  const install = 'src/app/cli/install.js --dev && node work.ts';
  const run = 'npm run';
  const scripts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`work${i}`, install]));
  expect(scriptFaults(scripts(15), [])).toEqual([]);
  expect(scriptFaults({ ...scripts(15), pretest: install }, [])).toEqual([
    'package.json: 16 scripts, more than the maximum of 15: merge some',
  ]);
  expect(scriptFaults({ lint: 'biome check', test: 'src/app/cli/install.js && src/app/cli/main.ts' }, [])).toEqual([
    'package.json: the script lint does not begin with src/app/cli/install.js',
    'src/app/cli/main.ts is not executable: chmod +x',
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

test('a measure of the house beyond its limit is reported', () => {
  const planted = (text: string, count: number) => [{ path: 'src/base/core/planted.ts', text: text.repeat(count) }];
  expect(measureFaults(planted('type A = Pick<Deps, 1>;', 200))).toEqual([]);
  expect(measureFaults(planted('type A = Pick<Deps, 1>;', 201))).toEqual([
    'src: 201 slices of the dependencies (Pick<Deps), more than 200',
  ]);
  expect(measureFaults(planted('const cupOf = weakMemo(() => 1);', 13))).toHaveLength(1);
  const [one] = planted('await uow.em.flush();', 1);
  const elsewhere = ['a', 'b'].map((name) => ({ ...one!, path: `src/base/core/${name}.ts` }));
  expect(measureFaults([one!, ...elsewhere])).toHaveLength(1);
  expect(measureFaults(['a', 'b', 'c', 'd', 'e', 'f'].map((tier) => ({ path: `src/${tier}/x.ts`, text: '' })))).toEqual(
    ['src: 6 folders and files at the top of src, more than 5'],
  );
  expect(measureFaults(planted('await transact(orm, work);', 2))).toHaveLength(1);
  expect(measured([])).toHaveLength(6);
});
