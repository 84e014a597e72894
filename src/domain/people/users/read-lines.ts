/** One line of a chunked text, without the line ending; `text` is null if the line is too long. */
export interface Line {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string | null;
}

const LF = 0x0a;

/**
 * Splits bytes into lines. It buffers at most `maxBytes` of a line, so that a file without line endings cannot exhaust
 * memory.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void, void> {
  let held: Buffer[] = [];
  let length = 0;
  let number = 0;
  const hold = (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) held = [];
    else held.push(piece);
  };
  const take = (): Line => {
    const text = length > maxBytes ? null : Buffer.concat(held).toString('utf8').replace(/\r$/, '');
    held = [];
    length = 0;
    number += 1;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      hold(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
