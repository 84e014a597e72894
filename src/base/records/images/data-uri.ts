import { createHash } from 'node:crypto';

/** A picture as it is stored. `mediaType` is one of `MEDIA_TYPES`. */
export interface DecodedImage {
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The media types that are served; a browser shows each of them as an image and nothing else. */
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
]);

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
