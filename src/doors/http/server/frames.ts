/** The first byte of an unmasked text frame that holds a whole message. */
const TEXT_FRAME = 0x81;
const END = 0x7d; // }

/** The first bytes of a subscription's `next` messages, made once per subscription. */
export const nextPrefix = (id: string): Buffer => Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);

/**
 * The `next` messages of a subscription as websocket frames, in one buffer. Each copies the result's shared bytes
 * between the subscription's own prefix and a closing brace.
 *
 * @param pooled whether the buffer may come from Node's pool; a queued buffer would keep the whole pool in memory
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
