import { glob, readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLInputType, getNamedType, isInputObjectType, Kind, parse, typeFromAST } from 'graphql';
import { expect, test } from 'vitest';
import { errorCatalogue, INPUT_REASONS } from '../../../../base/core/errors.ts';
import type { SentTree } from '../../../../base/core/messages/fill.ts';
import { CONSOLE_LANGUAGES } from '../../../../base/core/messages/languages.ts';
import { consoleTree, wordsOf } from '../../../../base/core/messages/words.ts';
import { MEMBER_ROLES, PERMISSIONS } from '../../../../base/core/roles.ts';
import { ALARMS } from '../../../../domain/operations/operators/alarms.ts';
import { failureCatalogue } from '../../../../domain/sales/receipts/failures.ts';
import { EVENT_KINDS } from '../../../../domain/webhooks/events/kinds.ts';
import { refusalText } from '../client/problem.ts';
import { andText, orText, words } from './words.ts';

test('an unknown text, and a missing or wrong placeholder, are no type', () => {
  expect(words.receipt.titled({ amount: '$5' })).toBe('Receipt of $5');
  // @ts-expect-error There is no such text.
  expect(words.receipt.entitled).toBeUndefined();
  // @ts-expect-error The placeholder is missing.
  words.receipt.titled({});
  // @ts-expect-error A number is no text.
  words.receipt.titled({ amount: 5 });
  // @ts-expect-error The text has no placeholder.
  expect(() => words.receipt.title({ amount: '$5' })).toThrow();
});

test('lists are written as the language writes them', () => {
  expect(andText(['a', 'b', 'c'])).toMatch(/^a, b,? and c$/);
  expect(orText(['a', 'b'])).toBe('a or b');
});

test('the English texts of the console are those of the server where both have one', () => {
  expect(Object.fromEntries(Object.entries(words.roles).map(([role, { about }]) => [role, about]))).toEqual(
    MEMBER_ROLES,
  );
  expect(words.permissions).toEqual(PERMISSIONS);
  expect(words.operator.actions).toEqual(ALARMS);
  const say = wordsOf('payment', 'en');
  for (const [status, word] of Object.entries(words.statuses)) expect(word).toBe(say(`step.${status as 'paid'}`));
  expect(words.endedStatus).toBe(say('step.ended'));
  const kinds = Object.entries(EVENT_KINDS).map(([kind, about]) => [kind.replace('.', '_'), about]);
  expect(words.webhooks.about).toEqual(Object.fromEntries(kinds));
  const failures = Object.entries(failureCatalogue);
  const curly = (text: string) => text.replaceAll("'", '’');
  const reasons = failures.map(([code, [, reason]]) => [code, curly(reason)]);
  expect(words.failures.reasons).toEqual(Object.fromEntries(reasons));
  for (const [code, action] of Object.entries(words.failures.actions))
    expect(curly(failureCatalogue[code as keyof typeof failureCatalogue][2]), code).toBe(action);
});

test('every code of the catalogue has words, in English the server’s own', () => {
  // Only clients that persist queries themselves get these codes.
  const codes = Object.keys(errorCatalogue).filter((code) => !code.startsWith('PERSISTED_'));
  for (const language of CONSOLE_LANGUAGES) {
    const { problems } = consoleTree(language) as { problems: Record<string, SentTree> };
    expect(Object.keys(problems), language).toEqual(codes);
    for (const problem of Object.values(problems)) expect(JSON.stringify(problem)).toMatch(/\p{L}{3}/u);
  }
  for (const code of codes) {
    const [, sentence] = errorCatalogue[code as keyof typeof errorCatalogue];
    if (!code.startsWith('invalid_')) expect(refusalText(code, sentence), code).toBe(sentence.replaceAll('`', ''));
  }
  const detail = 'endsAt must be in the future';
  for (const code of ['invalid_input', 'of_a_newer_server']) expect(refusalText(code, detail)).toBe(detail);
});

/** What the console sets by itself, or never sends. */
const UNTYPED = new Set(
  `attributes billingAddress city codeChallenge collected country deliveryId enabled firstName id ids input invitationId
  item keepEndpoints keepKeys key keyId lastName line1 line2 linkId mailId marked merchant metadata nonce onSuccess phone
  recordedHash redirectUrl sessionId signature split successUrl taxComponents taxRate taxable thumb zip`.split(/\s+/),
);

test('every field that a form of the console sends has a label for its refusal', async () => {
  const schema = buildSchema(await readFile('schema.graphql', 'utf8'));
  const fields = new Set<string>();
  const add = (name: string, type: GraphQLInputType | undefined, above: readonly string[] = []) => {
    fields.add(name);
    const named = getNamedType(type);
    if (!isInputObjectType(named) || above.includes(named.name)) return;
    for (const field of Object.values(named.getFields())) add(field.name, field.type, [...above, named.name]);
  };
  for await (const file of glob('src/doors/pages/console/**/*.graphql'))
    for (const definition of parse(await readFile(file, 'utf8')).definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation')
        for (const { variable, type } of definition.variableDefinitions ?? [])
          add(variable.name.value, typeFromAST(schema, type) as GraphQLInputType);
  expect([...fields].filter((field) => !(field in words.audit.fields) && !UNTYPED.has(field))).toEqual([]);
  expect([...UNTYPED].filter((field) => !fields.has(field))).toEqual([]);
});

test('a reason of a refusal has words before its field, and says its figures', () => {
  const facts = { most: 3, sku: 'TEA' };
  for (const reason of Object.keys(INPUT_REASONS))
    expect(refusalText('invalid_input', 'As the server says', { ...facts, reason }), reason).not.toMatch(
      /undefined|NaN|As the server says/,
    );
  expect(refusalText('invalid_input', '', { ...facts, reason: 'out_of_stock' })).toBe('Only 3 of TEA in stock');
  expect(refusalText('invalid_usd', '', { field: 'usd', refundableUsd: 1234.5 })).toContain('1,234.50');
});

test('every text that has words is another one in German, but for names that both languages share', () => {
  const flat = (tree: object, path = ''): [string, string][] =>
    Object.entries(tree).flatMap(([part, below]) =>
      typeof below === 'object' && !Array.isArray(below)
        ? flat(below, `${path}.${part}`)
        : [[path + part, JSON.stringify(below)]],
    );
  const german = new Map(flat(consoleTree('de') as object));
  const same = flat(consoleTree('en') as object).filter(
    ([key, text]) => german.get(key) === text && / \w{3,} \w{3,}/.test(text),
  );
  expect(same).toEqual([]);
});
