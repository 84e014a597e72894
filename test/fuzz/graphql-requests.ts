import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { root } from '../gates/sources.ts';
import type { Dice } from '../support/seeded.ts';
import { hostile, numberFor, type Owner, spoiled, stringFor, textOf } from './values.ts';

export const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));

/** Fields that take the callers' own access away, and those of the platform's users, who belong to no merchant. */
const LEFT_OUT =
  /revoke|rotate|logout|signOut|endSession|leave|erase|forget|suspend|delete(Key|Merchant)|remove(Key|Member)|register|presence|heartbeat|follow|user|live|leaderboard/i;

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

type Kind = 'query' | 'mutation' | 'subscription';

/** One operation with one field of the schema, its arguments as variables; `isHostile` spoils what it sends. */
export function operation(dice: Dice, kind: Kind, owner: Owner, isHostile: boolean): GraphqlRequest {
  const type = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind]!;
  const field = dice.pick(Object.values(type.getFields()).filter(({ name }) => !LEFT_OUT.test(name)));
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const text = fieldText(dice, field, owner, { variables, declared }, 0);
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  const query = `${kind} Fuzz${head} { ${text} }`;
  if (!isHostile) return { query, variables };
  return dice.chance(0.5)
    ? { query, variables: spoiled(dice, variables) as Record<string, unknown> }
    : { query: spoiledText(dice, query), variables };
}

interface Variables {
  readonly variables: Record<string, unknown>;
  readonly declared: string[];
}

function fieldText(
  dice: Dice,
  field: GraphQLField<unknown, unknown>,
  owner: Owner,
  into: Variables,
  depth: number,
): string {
  const given = field.args
    .filter(({ type }) => isNonNullType(type) || dice.chance(0.4))
    .map(({ name, type }) => {
      const variable = `v${into.declared.length}`;
      into.declared.push(`$${variable}: ${type}`);
      into.variables[variable] = inputFor(dice, type, name, owner, 0);
      return `${name}: $${variable}`;
    });
  const selection = selectionText(dice, field.type, owner, into, depth);
  return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selection}`;
}

function selectionText(dice: Dice, type: GraphQLOutputType, owner: Owner, into: Variables, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) {
    const members = isUnionType(named) ? named.getTypes() : schema.getPossibleTypes(named);
    return ` { __typename ${members.map((one) => `... on ${one.name} { __typename }`).join(' ')} }`;
  }
  const fields = Object.values(named.getFields()).filter(
    (field) =>
      (isLeafType(getNamedType(field.type)) ? dice.chance(0.7) : depth < 2 && dice.chance(0.3)) &&
      !LEFT_OUT.test(field.name),
  );
  return ` { __typename ${fields.map((field) => fieldText(dice, field, owner, into, depth + 1)).join(' ')} }`;
}

function inputFor(dice: Dice, type: GraphQLInputType, name: string, owner: Owner, depth: number): unknown {
  if (!isNonNullType(type) && dice.chance(0.1)) return null;
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return Array.from({ length: dice.below(3) }, () => inputFor(dice, nullable.ofType, name, owner, depth + 1));
  if (isEnumType(nullable)) return dice.pick(nullable.getValues()).name;
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    if (nullable.isOneOf) {
      const one = dice.pick(fields);
      return { [one.name]: inputFor(dice, one.type, one.name, owner, depth + 1) ?? 'x' };
    }
    const wanted = fields.filter((field) => isNonNullType(field.type) || (depth < 3 && dice.chance(0.3)));
    return Object.fromEntries(
      wanted.map((field) => [field.name, inputFor(dice, field.type, field.name, owner, depth + 1)]),
    );
  }
  switch (String(nullable)) {
    case 'Int':
    case 'SafeInt':
      return name === 'first' || name === 'last' ? 1 + dice.below(50) : numberFor(dice, true);
    case 'Float':
    case 'Usd':
      return numberFor(dice, false);
    case 'Boolean':
      return dice.chance(0.5);
    case 'Millis':
      return dice.pick([0, 1_700_000_000_000, Date.now() - dice.below(86_400_000), Date.now() + 86_400_000]);
    case 'BaseUnits':
      return String(dice.below(5_000_000));
    case 'Wallet':
      return owner.wallet;
    case 'Hex':
      return `0x${'ab'.repeat(dice.pick([0, 20, 32, 65]))}`;
    case 'JSON':
      return { note: owner.canary };
    default:
      return stringFor(dice, name, owner);
  }
}

/** The document with a piece of it removed, doubled, or replaced by something hostile. */
function spoiledText(dice: Dice, query: string): string {
  const [from, length] = [dice.below(query.length), 1 + dice.below(12)];
  const kind = dice.weighted({ cut: 3, double: 3, replace: 2 });
  const piece = query.slice(from, from + length);
  const instead = { cut: '', double: piece + piece, replace: textOf(hostile(dice)).slice(0, 200) }[kind];
  return query.slice(0, from) + instead + query.slice(from + length);
}

/** Documents that are deep, wide or recursive. */
export function bomb(dice: Dice): string {
  const size = dice.pick([50, 500, 3_000]);
  const bombs = {
    deep: () => `{ receipts ${'{ nodes '.repeat(size)}{ __typename }${' }'.repeat(size)} }`,
    lists: () => `{ receipts(first: 1, filter: ${'['.repeat(size)}${']'.repeat(size)}) { totalCount } }`,
    objects: () => `{ receipts(filter: ${'{a:'.repeat(size)}1${'}'.repeat(size)}) { totalCount } }`,
    aliases: () => `{ ${Array.from({ length: size }, (_, i) => `a${i}: shopConfig { name }`).join(' ')} }`,
    directives: () => `{ shopConfig { name ${'@include(if: true) '.repeat(size)} } }`,
    recursion: () =>
      'query { shopConfig { ...A } } fragment A on ShopConfig { ...B } fragment B on ShopConfig { ...A }',
    fragments: () => {
      const parts = Array.from(
        { length: Math.min(size, 60) },
        (_, i) => `fragment F${i} on ShopConfig { ...F${i + 1} ...F${i + 1} }`,
      );
      return `{ shopConfig { ...F0 } } ${parts.join(' ')} fragment F${parts.length} on ShopConfig { name }`;
    },
    introspection: () =>
      `{ __schema { types { fields { type ${'{ ofType '.repeat(20)}{ name }${' }'.repeat(20)} } } } }`,
    types: () => `query ($a: ${'['.repeat(size)}Int${']'.repeat(size)}) { shopConfig { name } }`,
    strings: () => `{ receipt(receiptId: "${'\\u0000'.repeat(size)}") { receiptId } }`,
    operations: () => Array.from({ length: size }, (_, i) => `query Q${i} { shopConfig { name } }`).join(' '),
  };
  return dice.pick(Object.values(bombs))();
}
