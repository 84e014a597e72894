/** The text of a file, and what it was read as if that is not certain. */
export interface ReadText {
  readonly text: string;
  /** Whether the bytes are no UTF-8, so that they were read as Windows-1252, which older spreadsheets write. */
  readonly guessed: boolean;
}

const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const decoded = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/**
 * Decodes the bytes of a text file without losing a character: by its mark, else as UTF-8, else as Windows-1252. Null
 * if it is none of these.
 */
export function readText(bytes: Uint8Array): ReadText | null {
  const mark = MARKS.find((each) => each.bytes.every((byte, n) => bytes[n] === byte));
  const text = decoded(bytes, mark?.encoding ?? 'utf-8');
  // A text has no NUL: UTF-16 without a mark has many, and so do pictures.
  if (text !== null) return text.includes('\0') ? null : { text, guessed: false };
  if (mark) return null;
  const windows = decoded(bytes, 'windows-1252');
  // Bytes that Windows-1252 does not use become control characters.
  return windows === null || /[^\t\n\r\P{Cc}]/u.test(windows) ? null : { text: windows, guessed: true };
}
