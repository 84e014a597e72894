import { createHash } from 'node:crypto';
import { z } from 'zod';
import { webUrl } from '../../core/url.ts';

/** A picture as it is stored. `mediaType` is one of `MEDIA_TYPES`. */
export interface DecodedImage {
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The root element of an SVG, behind what may stand before it. Each part ends at one place only. */
const SVG =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?(?:(?!\?>).)*\?>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)*<(?:\w+:)?svg[\s/>]/is;

/**
 * The media types that are served, and by what their bytes are known (as Latin-1): the mark, and a part that only a
 * whole picture has. A browser shows each of them as an image and nothing else.
 */
const MEDIA_TYPES: ReadonlyMap<string, (bytes: string) => boolean> = new Map([
  ['image/png', (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n\0\0\0\rIHDR') && bytes.includes('IDAT')],
  ['image/jpeg', (bytes) => bytes.startsWith('\xff\xd8\xff') && bytes.includes('\xff\xda')],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes) && bytes.includes(',', 13)],
  ['image/webp', (bytes) => /^RIFF.{4}WEBPVP8[ LX]/s.test(bytes)],
  ['image/avif', (bytes) => /^.{4}ftyp(?:avi[fs]|mi[fa]1|msf1)/s.test(bytes) && bytes.includes('mdat')],
  ['image/svg+xml', (bytes) => SVG.test(bytes)],
]);

const MAX_PICTURE = 262_144;
const DATA_IMAGE =
  /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)(?:;charset=[\w-]+|;utf8)?(?:;base64,[A-Za-z0-9+/]+={0,2}|,[!#-;=?-~ ]+)$/i;
const WANTED = 'must be an https URL or a data URI of a PNG, JPEG, GIF, WebP, AVIF or SVG image of at most 256 KiB';
const address = webUrl({ allowInsecure: false });

/**
 * A picture: an https address, or a data URI of at most 256 KiB. SVG is accepted, so a picture must be rendered only as
 * an image.
 */
export const picture = z.string({ error: WANTED }).refine(
  (value) => {
    if (!DATA_IMAGE.test(value)) return address.safeParse(value).success;
    const image = value.length <= MAX_PICTURE && decodeImage(value);
    return image && MEDIA_TYPES.get(image.mediaType)!(image.bytes.toString('latin1'));
  },
  { error: WANTED },
);

/** Where an image is served, without the server's address. */
export const imagePath = (digest: string): string => `/images/${digest}`;

/** The same with the server's address; any other address stays as it is. */
export const imageAddress = (baseUrl: string, url: string): string =>
  url.startsWith('/images/') ? baseUrl + url : url;

/** What is stored of the address of a picture: its path if this server serves it, else the address itself. */
export const storedAddress = (baseUrl: string, url: string): string =>
  url.startsWith(`${baseUrl}/images/`) ? url.slice(baseUrl.length) : url;

/** The picture in a data URI; null where the text is none, or its media type is not served. */
export function decodeImage(uri: string): DecodedImage | null {
  const [, given = '', parameters = '', payload = ''] = /^data:(image\/[a-z+]+)([^,]*),(.*)$/is.exec(uri) ?? [];
  const mediaType = given.toLowerCase() === 'image/jpg' ? 'image/jpeg' : given.toLowerCase();
  if (!MEDIA_TYPES.has(mediaType)) return null;
  const bytes = /;base64$/i.test(parameters) ? Buffer.from(payload, 'base64') : percentDecoded(payload);
  return { digest: createHash('sha256').update(bytes).digest('hex'), mediaType, bytes };
}

/** The bytes of a percent-encoded text; a `%` that begins no escape stands for itself. */
const percentDecoded = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/(%[0-9a-f]{2})/i)
      .map((part) => (/^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  );
