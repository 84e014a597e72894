import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { text } from './text.ts';

/** The longest address that is taken. */
const MAX_URL = 2_048;

/** Where a caller's address may lead. */
export interface UrlPolicy {
  /** Also http, localhost and private addresses: for development. */
  readonly allowInsecure: boolean;
}

/** An https address without a user name in it, for a browser to go to; with `allowInsecure` also http. Kept as it was sent. */
export function webUrl({ allowInsecure }: UrlPolicy) {
  const error = `must be an ${allowInsecure ? 'http or https' : 'https'} URL without a user name in it`;
  return text(MAX_URL).refine((value) => readUrl(value, allowInsecure) !== null, { error, abort: true });
}

/** An https address that we call ourselves: public, unless `allowInsecure`. The connection checks again what the name then resolves to. */
export function callbackUrl(policy: UrlPolicy) {
  return webUrl(policy).refine((value) => policy.allowInsecure || isPublicHost(new URL(value).hostname), {
    error: 'must not lead to a local or private address',
  });
}

/** An address that a buyer's browser is led to after payment: as `webUrl`, and not on the buyer's own machine, unless `allowInsecure`. */
export function buyerUrl(policy: UrlPolicy) {
  return webUrl(policy).refine((value) => leadsBuyer(value, policy), { error: 'must not lead to a local address' });
}

/** Whether an address, however it came to be kept, is one that `buyerUrl` takes. */
export function leadsBuyer(value: string, { allowInsecure }: UrlPolicy): boolean {
  const url = readUrl(value, allowInsecure);
  return url !== null && (allowInsecure || !isLoopbackHost(url.hostname));
}

function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return ['loopback', 'unspecified'].includes(ipaddr.process(host).range());
  return /(?:^|\.)localhost$/i.test(host);
}

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa|onion)$/;

/** Whether an address (`203.0.113.7`, `2001:db8::1`) belongs to the public internet: no private, loopback, link-local or other special range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Beyond 2000::/3 nothing is assigned for public use; `::127.0.0.1` among others hides there.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
}

/** Whether a parsed URL's hostname may be called from here: a public address, or a name that is not a local one. */
export function isPublicHost(hostname: string): boolean {
  // A URL parser has made dotted decimal of every spelling of an IPv4 address; brackets and a trailing dot it leaves.
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** A picture to show: an https address, or a data URI of at most 256 KiB. SVG is taken too; it must only ever be shown as an image. */
export const picture = z
  .string({ error: pictureWanted() })
  .refine(
    (value) =>
      DATA_IMAGE.test(value) ? value.length <= MAX_PICTURE : value.length <= MAX_URL && readUrl(value, false) !== null,
    {
      error: pictureWanted(),
    },
  );

const MAX_PICTURE = 262_144;
const DATA_IMAGE =
  /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)(?:;charset=[\w-]+|;utf8)?(?:;base64,[A-Za-z0-9+/]+={0,2}|,[!#-;=?-~ ]+)$/i;

function pictureWanted(): string {
  return 'must be an https URL or a data URI of a PNG, JPEG, GIF, WebP, AVIF or SVG image of at most 256 KiB';
}

function readUrl(value: string, allowHttp: boolean): URL | null {
  const url = URL.parse(value);
  if (!url || url.username || url.password || /[\s<>"\\]/.test(value)) return null;
  return url.protocol === 'https:' || (allowHttp && url.protocol === 'http:') ? url : null;
}
