/** A literal, a number or a string, where one begins at `lastIndex`. */
const SCALAR =
  /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const SPACE = /[ \t\n\r]*/y;

type Wanted = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'more';

/**
 * Where a text stops being JSON, as `line 2, column 14`; null where it is JSON. It reads without recursion, in linear
 * time, and is meant for texts that `JSON.parse` has refused: its own messages name a position only sometimes.
 */
export function jsonFault(text: string): string | null {
  const open: ('[' | '{')[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  const skip = () => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };
  for (skip(); wanted !== 'more' || open.length > 0; skip()) {
    const next = step(text, at, wanted, open);
    if (next === null) return placeOf(text, at);
    at = next.at;
    wanted = next.wanted;
  }
  return at < text.length ? placeOf(text, at) : null;
}

/** Reads one token; null where it is not one of those that are wanted. */
function step(text: string, at: number, wanted: Wanted, open: ('[' | '{')[]): { at: number; wanted: Wanted } | null {
  const sign = text[at];
  const inner = open.at(-1);
  const isEnd = (sign === ']' && inner === '[') || (sign === '}' && inner === '{');
  if (isEnd && (wanted === 'more' || wanted.endsWith('or end'))) {
    open.pop();
    return { at: at + 1, wanted: 'more' };
  }
  if (wanted === 'more') return sign === ',' ? { at: at + 1, wanted: inner === '{' ? 'name' : 'value' } : null;
  if (wanted === 'colon') return sign === ':' ? { at: at + 1, wanted: 'value' } : null;
  const isName = wanted.startsWith('name');
  if (!isName && (sign === '[' || sign === '{')) {
    open.push(sign);
    return { at: at + 1, wanted: sign === '[' ? 'value or end' : 'name or end' };
  }
  if (isName && sign !== '"') return null;
  SCALAR.lastIndex = at;
  return SCALAR.test(text) ? { at: SCALAR.lastIndex, wanted: isName ? 'colon' : 'more' } : null;
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
