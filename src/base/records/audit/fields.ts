import type { AuditFields } from './audit-entry.entity.ts';
import { canonical, shortened, standIn } from './canonical.ts';

/** Longer texts, such as pictures, are represented by their digest. */
const MAX_CHARACTERS = 2_000;

/** Fields that are never recorded. `token` alone is the symbol of a token. */
const SECRET = /secret|sealed|digest|password|signature|private|^key$|.token$/i;
/** Texts that name a person. */
const EMAIL = /[^\s@<>"]@[^\s@<>"]/;
const PERSONAL_FIELD = /email|^q$/i;

/** The fields that differ, before and after. Null if none does. A missing object has no fields. */
export function changedFields<T extends object>(
  before: T | null,
  after: T | null,
): { readonly before: AuditFields | null; readonly after: AuditFields | null } | null {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !SECRET.test(name) && canonical(memberOf(before, name)) !== canonical(memberOf(after, name)),
  );
  if (names.length === 0 && before !== null && after !== null) return null;
  const pick = (from: T | null) =>
    from && Object.fromEntries(names.map((name) => [name, plain(memberOf(from, name))] as const));
  return { before: pick(before), after: pick(after) };
}

const memberOf = (from: object | null, name: string): unknown =>
  (from as Readonly<Record<string, unknown>> | null)?.[name] ?? null;

/** As JSON, without secrets. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  return JSON.parse(JSON.stringify(value, (name, member) => (SECRET.test(name) ? undefined : member)));
}

/** Replaces personal values by their stand-ins, and adds them to `values`. Shortens long texts. */
export function withoutPersonal(fields: AuditFields | null, salt: string, values: Record<string, string>) {
  const clean = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((member) => clean(member, name));
    if (typeof value === 'object' && value !== null) return cleanAll(value);
    if (typeof value !== 'string') return value;
    if (value.length > MAX_CHARACTERS) return shortened(value);
    // A text in the form of a stand-in would be shown as erased.
    if (!PERSONAL_FIELD.test(name) && !EMAIL.test(value) && !STAND_IN.test(value)) return value;
    const place = standIn(salt, value);
    values[place] = value;
    return place;
  };
  const cleanAll = (from: object): AuditFields =>
    Object.fromEntries(Object.entries(from).map(([name, value]) => [name, clean(value, name)]));
  return fields && cleanAll(fields);
}

/** What is shown in the place of an erased value. */
const ERASED = '[erased]';
const STAND_IN = /^personal:[0-9a-f]{64}$/;

/** Puts the personal values back. */
export function withPersonal(fields: AuditFields | null, values: Readonly<Record<string, string>> | null) {
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === 'object' && value !== null) return fillAll(value);
    return typeof value === 'string' && STAND_IN.test(value) ? (values?.[value] ?? ERASED) : value;
  };
  const fillAll = (from: object): AuditFields =>
    Object.fromEntries(Object.entries(from).map(([name, value]) => [name, fill(value)]));
  return fields && fillAll(fields);
}
