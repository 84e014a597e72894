import { expect, test } from 'vitest';
import { readableLine } from './log.ts';

test('a readable line has time, level and message first, then the other fields', () => {
  const json = JSON.stringify({ level: 40, time: 0, wallet: '0x1', ms: 3, msg: 'slow' });
  expect(readableLine(json)).toBe('00:00:00.000 WARN  slow wallet="0x1" ms=3\n');
});

test('a readable line is one line, whatever the fields contain', () => {
  const json = JSON.stringify({ level: 50, time: 0, fault: { stack: 'a\nb' }, msg: 'operation failed' });
  expect(readableLine(json)).toBe('00:00:00.000 ERROR operation failed fault={"stack":"a\\nb"}\n');
});
