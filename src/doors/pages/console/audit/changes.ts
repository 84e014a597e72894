/** A field that was changed, as the API has it. */
interface ChangedField {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A value that was changed, at the end of a path of names. */
export interface Change {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** What tells the entries of a list apart. */
const KEYS = ['address', 'code', 'id'] as const;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list whose entries have a key, by that key; null for another value. */
function keyed(value: unknown): Members | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const key = KEYS.find((name) => value.every((entry) => isMembers(entry) && typeof entry[name] === 'string'));
  if (key === undefined) return null;
  const entries = value.map(({ [key]: name, ...rest }: Members) => [name as string, rest] as const);
  return new Set(entries.map(([name]) => name)).size === entries.length ? Object.fromEntries(entries) : null;
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Both values as members; null if one of them has none. Nothing has the members of the other one, without values. */
function membersOf(before: unknown, after: unknown): readonly [Members, Members] | null {
  const [old, current] = [keyed(before) ?? before, keyed(after) ?? after];
  if (isMembers(old) && isMembers(current)) return [old, current];
  if (isMembers(old) && isNothing(current)) return [old, {}];
  return isNothing(old) && isMembers(current) ? [{}, current] : null;
}

function flat(path: readonly string[], before: unknown, after: unknown): Change[] {
  const both = membersOf(before, after);
  if (!both) return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
  const [old, current] = both;
  return Object.keys({ ...old, ...current }).flatMap((name) =>
    flat([...path, name], old[name] ?? null, current[name] ?? null),
  );
}

/** The values that differ, each with the path that leads to it. Entries of lists are compared by their key. */
export const changesIn = (fields: readonly ChangedField[]): Change[] =>
  fields.flatMap(({ field, before, after }) => flat(field.split('.'), before, after));
