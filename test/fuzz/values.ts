import type { Dice } from '../support/seeded.ts';

/** The parts of a JSON schema that values are made from. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
  readonly oneOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly allOf?: readonly ValueSchema[];
}

/** Whose values they are. */
export interface Owner {
  /** In every free text that this merchant sends. */
  readonly canary: string;
  readonly wallet: string;
  /** Ids that exist, of this merchant and of the other one. */
  readonly ids: readonly string[];
}

/** Both merchants use these ids, skus and references. */
const SHARED = ['same-1', 'same-2', 'same-3', 'same-4'];

/** Text that stands for JSON that `JSON.stringify` cannot write; see `textOf`. */
const RAW = /"raw:([^"]+)"/g;

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const HOSTILE: readonly (() => unknown)[] = [
  ...[null, '', ' ', 0, -1, -0, 1e-7, 0.005, 1.005, 2 ** 31, 2 ** 53, true, [], {}, [[]], 'NaN', '1e400'].map(
    (v) => () => v,
  ),
  ...['raw:1e400', 'raw:-0', 'raw:9007199254740993', 'raw:{"__proto__":{"a":1}}', 'raw:1E-400'].map((v) => () => v),
  ...['a\u0000b', '\ud800', '\u202eabc', '%', '_%_', "' or 1=1 --", '../../etc/passwd', '<script>1</script>'].map(
    (v) => () => v,
  ),
  ...['{{7*7}}', '#{7*7}', '0x', `0x${'F'.repeat(40)}`, 'constructor', '__proto__', 'eyJhbGciOiJub25lIn0.e30.'].map(
    (v) => () => v,
  ),
  () => 'x'.repeat(20_000),
  () => '😀'.repeat(300),
  () => deep(60),
  () => deep(3_000),
  () => Array.from({ length: 1_500 }, () => 1),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i])),
  () => ({ __proto__: null, constructor: { prototype: { polluted: 1 } } }),
];

export const hostile = (dice: Dice): unknown => dice.pick(HOSTILE)();

/** JSON with numbers that JavaScript does not have. */
export const textOf = (value: unknown): string => (JSON.stringify(value) ?? 'null').replaceAll(RAW, '$1');

/** A free text, an id, or another string that its name asks for. */
export function stringFor(dice: Dice, name: string, owner: Owner): string {
  if (/wallet|buyer$|address|customer|merchant/i.test(name)) return owner.wallet;
  if (/(^|[a-z])(id|ids|sku|key|reference)$/i.test(name)) {
    return dice.chance(0.5) && owner.ids.length > 0 ? dice.pick(owner.ids) : dice.pick(SHARED);
  }
  if (/url|redirect/i.test(name)) return `https://shop.test/${owner.canary}`;
  if (/mail/i.test(name)) return `${owner.canary}@shop.test`;
  if (/hash|signature/i.test(name)) return `0x${'ab'.repeat(32)}`;
  if (/amount|usd|price|total/i.test(name)) return `${dice.below(500)}.${10 + dice.below(90)}`;
  return dice.chance(0.8) ? owner.canary : `${owner.canary} ${dice.below(1_000)}`;
}

export function numberFor(dice: Dice, isWhole: boolean, { minimum = 0, maximum = 500 }: ValueSchema = {}): number {
  const value = minimum + dice.below(Math.max(1, Math.min(maximum - minimum, 500)));
  return isWhole ? Math.ceil(value) : Math.round((value + dice.below(100) / 100) * 100) / 100;
}

/** A value that fits a schema, as far as its schema says it. */
export function fitting(
  dice: Dice,
  schema: ValueSchema,
  owner: Owner,
  definitions: (ref: string) => ValueSchema,
  name = '',
  depth = 0,
): unknown {
  const inner = (one: ValueSchema, as = name) => fitting(dice, one, owner, definitions, as, depth + 1);
  if (schema.$ref) return inner(definitions(schema.$ref));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.pick(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return inner(dice.pick(choices));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => inner(one)));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'string') return stringFor(dice, name, owner);
  if (type === 'integer' || type === 'number') return numberFor(dice, type === 'integer', schema);
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'null') return null;
  if (type === 'array')
    return Array.from({ length: dice.below(3) + 1 }, () => (depth > 6 ? null : inner(schema.items ?? {})));
  if (!schema.properties) return { note: owner.canary };
  const wanted = Object.entries(schema.properties).filter(
    ([key]) => schema.required?.includes(key) || dice.chance(0.4),
  );
  return Object.fromEntries(wanted.map(([key, one]) => [key, inner(one, key)]));
}

/** The value with one of its parts replaced by a hostile one, removed, or under another name. */
export function spoiled(dice: Dice, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || dice.chance(0.15)) return hostile(dice);
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile(dice)];
    const at = dice.below(value.length);
    return value.map((one, i) => (i === at ? spoiled(dice, one) : one));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return { [textOf(hostile(dice)).slice(0, 50)]: hostile(dice) };
  const key = dice.pick(keys);
  const { [key]: old, ...rest } = value as Record<string, unknown>;
  const kind = dice.weighted({ replace: 6, remove: 2, add: 1 });
  if (kind === 'remove') return rest;
  return kind === 'add'
    ? { ...value, [dice.pick(['wallet', '__proto__', 'merchant', 'role'])]: hostile(dice) }
    : { ...rest, [key]: spoiled(dice, old) };
}
