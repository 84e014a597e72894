import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { text } from './text.ts';

/** The longest address that is taken. */
export const MAX_URL = 2_048;

/** Where a caller's address may lead. */
export interface UrlPolicy {
  /** Also http, localhost and private addresses: for development. */
  readonly allowInsecure: boolean;
}

/** An https address without a password in it, for a browser to go to; with `allowInsecure` also http. Kept as it was sent. */
export function webUrl({ allowInsecure }: UrlPolicy) {
  const error = allowInsecure ? 'must be an http or https URL' : 'must be an https URL';
  return text(MAX_URL).refine((value) => readUrl(value, allowInsecure) !== null, { error, abort: true });
}

/** An https address that we call ourselves: public, unless `allowInsecure`. The connection checks again what the name then resolves to. */
export function callbackUrl(policy: UrlPolicy) {
  return webUrl(policy).refine((value) => policy.allowInsecure || isPublicHost(new URL(value).hostname), {
    error: 'must not lead to a local or private address',
  });
}

/** Whether a parsed URL's hostname may be called from here: no address of a private, loopback, link-local or other special range, and no local name. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast';
  return host.includes('.') && !/\.(localhost|local|internal|localdomain|home\.arpa)$/.test(host);
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
