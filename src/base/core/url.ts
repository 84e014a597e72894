import ipaddr from 'ipaddr.js';
import { text } from './text.ts';

/** The longest address, in characters. */
const MAX_URL = 2_048;

/** Which addresses of a caller are accepted. */
export interface UrlPolicy {
  /** Also accept http, localhost and private addresses, for development. */
  readonly allowInsecure: boolean;
}

/** An https address without a user name, for a browser to open; with `allowInsecure` also http. Returned unchanged. */
export function webUrl({ allowInsecure }: UrlPolicy) {
  const error = `must be an ${allowInsecure ? 'http or https' : 'https'} URL without a user name in it`;
  return text(MAX_URL).refine((value) => readUrl(value, allowInsecure) !== null, { error, abort: true });
}

/**
 * An https address that this server calls. It must be public, unless `allowInsecure`. When connecting, the resolved IP
 * address is checked again.
 */
export function callbackUrl(policy: UrlPolicy) {
  return webUrl(policy).refine((value) => policy.allowInsecure || isPublicHost(new URL(value).hostname), {
    error: 'must not lead to a local or private address',
  });
}

/**
 * An address that a buyer's browser is redirected to after payment: https, and not on the buyer's own machine. With
 * `allowInsecure` also that machine, and http to local names and private addresses.
 */
export function buyerUrl(policy: UrlPolicy) {
  return webUrl(policy).refine((value) => mayRedirectBuyer(value, policy), {
    error: policy.allowInsecure ? 'must be https, except to a local address' : 'must not lead to a local address',
  });
}

/** Whether `buyerUrl` accepts a stored address. */
export function mayRedirectBuyer(value: string, { allowInsecure }: UrlPolicy): boolean {
  const url = readUrl(value, allowInsecure);
  if (!url) return false;
  if (!allowInsecure) return !isLoopbackHost(url.hostname);
  return url.protocol === 'https:' || !isPublicHost(url.hostname);
}

function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return ['loopback', 'unspecified'].includes(ipaddr.process(host).range());
  return /(?:^|\.)localhost$/i.test(host);
}

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa|onion)$/;

/**
 * Whether an address (`203.0.113.7`, `2001:db8::1`) is public: not in a private, loopback, link-local or other special
 * range.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 is assigned for public use. Outside it are forms such as `::127.0.0.1`.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
}

/** Whether this server may call the hostname of a parsed URL: a public address, or a name that is not local. */
export function isPublicHost(hostname: string): boolean {
  // The URL parser normalizes every spelling of an IPv4 address to dotted decimal. It keeps brackets and a trailing
  // dot.
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

function readUrl(value: string, allowHttp: boolean): URL | null {
  const url = URL.parse(value);
  if (!url || url.username || url.password || /[\s<>"\\]/.test(value)) return null;
  return url.protocol === 'https:' || (allowHttp && url.protocol === 'http:') ? url : null;
}
