import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { forbid } from '../../../base/core/forbidden.ts';
import { fault } from '../../../base/core/input.ts';

/** The most entries of each kind. */
const ENTRIES_MAX = 50;

const ORIGIN_WANTED = 'must be an origin, as in https://shop.example, without a path';
const origin = z
  .string({ error: ORIGIN_WANTED })
  .transform((value, ctx) => originOf(value) ?? fault(ctx, ORIGIN_WANTED));

const ADDRESS_WANTED = 'must be an address or a network, as in 192.0.2.7 or 2001:db8::/32';
const address = z
  .string({ error: ADDRESS_WANTED })
  .transform((value, ctx) => networkOf(value)?.text ?? fault(ctx, ADDRESS_WANTED));

const entries = <S extends z.ZodType<string>>(entry: S) =>
  z
    .array(entry, { error: 'must be a list' })
    .max(ENTRIES_MAX, { error: `must have at most ${ENTRIES_MAX} entries` })
    .transform((all) => (all.length === 0 ? null : [...new Set(all)]));

/** The origins from which browsers may use a key. An empty list is no limit. */
export const originsInput = entries(origin);
/** The addresses and networks from which a key may be used. An empty list is no limit. */
export const addressesInput = entries(address);

/** The origin that a text names, in lower case; null for anything else. */
function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/\s]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.pathname === '/' ? url.origin : null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and its canonical text. */
interface Network {
  readonly text: string;
  readonly first: Address;
  readonly bits: number;
}

/** The network that a text names; null for anything else. An IPv4 address inside IPv6 is IPv4. */
function networkOf(text: string): Network | null {
  const [given = '', prefix, ...rest] = text.trim().split('/');
  // The library also reads forms like `10.1` and `0x7f.1`, which people do not mean.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(given) || (given.includes(':') && ipaddr.IPv6.isValid(given));
  if (!isAddress || given.includes('%') || rest.length > 0) return null;
  const parsed = ipaddr.parse(given);
  const all = parsed.kind() === 'ipv4' ? 32 : 128;
  const bits = prefix === undefined ? all : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(bits >= 0 && bits <= all)) return null;
  const inner = parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96;
  const first = inner ? ipaddr.process(given) : parsed;
  const inside = inner ? bits - 96 : bits;
  const whole = first.kind() === 'ipv4' ? 32 : 128;
  return { text: inside === whole ? first.toString() : `${first.toString()}/${inside}`, first, bits: inside };
}

/** Where a key is used. */
export interface KeyUse {
  /** The client's address. */
  readonly address: string;
  /** The header `Origin`; undefined if there is none. */
  readonly origin: string | undefined;
}

/** Refuses the use of a key from elsewhere. */
export type CheckUse = (use: KeyUse) => void;

/**
 * Creates the check of a key's limits; null if it has none. It refuses with `forbidden`: `address_not_allowed` or
 * `origin_not_allowed`. A key that is limited to origins is refused without `Origin`.
 */
export function checkOf(origins: readonly string[] | null, addresses: readonly string[] | null): CheckUse | null {
  if (!origins && !addresses) return null;
  const allowed = origins && new Set(origins);
  const networks = addresses?.map(networkOf).filter((network) => network !== null) ?? null;
  return (use) => {
    if (networks && !networks.some((network) => contains(network, use.address))) throw forbid('address_not_allowed');
    if (allowed && !allowed.has(use.origin?.toLowerCase() ?? '')) throw forbid('origin_not_allowed');
  };
}

function contains({ first, bits }: Network, address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const known = ipaddr.process(address);
  return known.kind() === first.kind() && known.match(first as never, bits);
}
