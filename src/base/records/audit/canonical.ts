import { createHash } from 'node:crypto';
import type { AuditEntry, PersonalData } from './audit-entry.entity.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A JSON value as text with the keys of every object in order, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** What the hash of an entry covers. Personal data is represented by its salted digest. */
export type HashedEntry = Pick<
  AuditEntry,
  | 'merchant'
  | 'position'
  | 'at'
  | 'actor'
  | 'action'
  | 'objectType'
  | 'objectId'
  | 'before'
  | 'after'
  | 'personalDigest'
  | 'previousHash'
>;

/** The hash before the first entry of a chain. */
export const FIRST_HASH = '0'.repeat(64);

/** The hash of an entry: of its content in a fixed form, with the hash of the entry before it. */
export function hashOf(entry: HashedEntry): string {
  const { merchant, position, at, actor, action, objectType, objectId, before, after } = entry;
  const { personalDigest, previousHash } = entry;
  return sha256(
    canonical({
      form: 1,
      merchant,
      position,
      at,
      actor,
      action,
      objectType,
      objectId,
      before: before ?? null,
      after: after ?? null,
      personalDigest,
      previousHash,
    }),
  );
}

/**
 * The digest of an entry's personal data. The random salt keeps an address from being found by trying all. The values
 * are not part of it: the digests that stand in their place are part of the entry.
 */
export function digestOfPersonal(salt: string, personal: PersonalData): string {
  const { address, userAgent, values, valuesSalt } = personal;
  const isEarlier = values !== undefined && valuesSalt === undefined;
  return sha256(`${salt}\n${canonical(isEarlier ? personal : { address, userAgent })}`);
}

/** The text that stands in the place of a personal value. */
export const standIn = (salt: string, value: string): string => `personal:${sha256(`${salt}\n${value}`)}`;

/** What stands in the place of a long value. */
export const shortened = (value: string): string => `sha256:${sha256(value)} (${value.length} characters)`;
