/**
 * A key that no one else has, of 128 random bits. `crypto.randomUUID` is not there on a page that came over plain http,
 * as from a computer of the same network; this is.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
