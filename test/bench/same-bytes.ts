import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Path } from './paths.ts';
import type { Load } from './wrk.ts';

/** Values that differ between two orders of the same content, and the opaque place of a page. */
const OWN = new Set(['receiptId', 'createdAt', 'paymentUrl', 'checkoutToken', 'expiresAt', 'nextCursor']);

/**
 * Asks server and twin the same and compares the bodies, so that a ratio compares the same work. Ids and times of new
 * receipts may differ. Throws with both bodies if they are different.
 */
export async function checkSameBytes({ name }: Path, ours: Load, theirs: Load): Promise<void> {
  // Requests for a random receipt: ask both for the first of the shop.
  const fixed = (request: Buffer) => Buffer.from(String(request).replace(/R-\d{10}(?=abc)/, 'R-0000000001'));
  const [our, their] = await Promise.all([ours, theirs].map(({ port, next }) => bodyOf(port, fixed(next()))));
  if (comparable(our as string) === comparable(their as string)) return;
  throw new Error(`${name}: the bare twin answers something else.\nserver: ${our}\ntwin:   ${their}`);
}

/** A body without the values that differ. */
const comparable = (body: string): string =>
  JSON.stringify(JSON.parse(body, (key, value) => (OWN.has(key) ? typeof value : value)));

/** Sends the bytes of one request and reads the body of the response. */
async function bodyOf(port: number, request: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  // A response to HTTP 1.0 is not chunked, and ends the connection.
  socket.write(String(request).replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n'));
  const response = await text(socket);
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(`not answered with 200: ${response}`);
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}
