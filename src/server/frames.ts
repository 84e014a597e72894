/** The first byte of an unmasked text frame that is a whole message. */
const TEXT_FRAME = 0x81;
const END = 0x7d; // }

/** What a subscription's results begin with: it is made once, when the subscription is. */
export const nextPrefix = (id: string): Buffer => Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);

/**
 * The `next` messages of a subscription as websocket frames, one after the other in one piece: a copy of bytes that were made once for all subscribers,
 * between their own prefix and a brace.
 *
 * @param pooled whether the piece may come from Node's pool; one that waits in a queue would keep the whole pool with it
 */
export function nextFrames(prefix: Buffer, results: readonly Buffer[], pooled: boolean): Buffer {
  let size = 0;
  for (const result of results) {
    const length = prefix.length + result.length + 1;
    size += headerOf(length) + length;
  }
  const bytes = pooled ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const result of results) {
    at = writeHeader(bytes, at, prefix.length + result.length + 1);
    at += prefix.copy(bytes, at);
    at += result.copy(bytes, at);
    bytes[at++] = END;
  }
  return bytes;
}

function headerOf(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHeader(bytes: Buffer, at: number, length: number): number {
  bytes[at] = TEXT_FRAME;
  if (length < 126) {
    bytes[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    bytes[at + 1] = 126;
    return bytes.writeUInt16BE(length, at + 2);
  }
  bytes[at + 1] = 127;
  return bytes.writeBigUInt64BE(BigInt(length), at + 2);
}
