import { crc32 } from 'node:zlib';
import { refuse } from './errors.ts';
import { parseJson } from './json.ts';
import { isStorable } from './limits.ts';

/** The PostgreSQL type of a sort key. Keys are never null. */
export type KeyType = 'text' | 'int4' | 'int8';

/** The values of a row's sort keys: its position in a list. */
export type Place = readonly (string | number)[];

/** What a cursor belongs to. */
export interface CursorScope {
  /** Identifies the list, its order and its owner. A cursor of another scope is refused. */
  readonly name: string;
  readonly types: readonly KeyType[];
}

const CHECKSUM_BYTES = 4;
const INT4_MAX = 2 ** 31 - 1;

/**
 * A place as an opaque cursor: a checksum of scope and place, then the place. The checksum detects damaged cursors and
 * cursors of other scopes. It is no secret: a cursor grants nothing.
 */
export function cursorOf({ name }: CursorScope, place: Place): string {
  const text = JSON.stringify(place);
  return Buffer.concat([checksum(name, text), Buffer.from(text)]).toString('base64url');
}

/**
 * The place of a cursor. Refuses with `bad_cursor` a text that is not a cursor of this scope; `field` names the
 * argument.
 */
export function placeOf(scope: CursorScope, cursor: string, field: string): Place {
  const place = readPlace(scope, cursor);
  if (place) return place;
  throw refuse('bad_cursor', `${field} is not a cursor of this list in this order`, { field });
}

function readPlace({ name, types }: CursorScope, cursor: string): Place | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips characters that are not of the alphabet.
  if (bytes.toString('base64url') !== cursor) return null;
  const text = bytes.subarray(CHECKSUM_BYTES).toString();
  if (!checksum(name, text).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  const values = parseJson(text);
  if (!Array.isArray(values) || values.length !== types.length) return null;
  return types.every((type, i) => isKey(type, values[i])) ? (values as Place) : null;
}

function isKey(type: KeyType, value: unknown): boolean {
  if (type === 'text') return typeof value === 'string' && isStorable(value);
  return Number.isSafeInteger(value) && (type === 'int8' || Math.abs(value as number) <= INT4_MAX);
}

function checksum(name: string, text: string): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32BE(crc32(`${name}\n${text}`));
  return bytes;
}
