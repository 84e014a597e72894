import { expect, test } from 'vitest';
import { createEndpoints } from './endpoint-health.ts';

test('an endpoint is prompt for a second after a quick response, unless a request is still waiting', () => {
  const endpoints = createEndpoints();
  const first = endpoints.begin('a', 0);
  expect(endpoints.anyPrompt(10)).toBe(false);
  expect(endpoints.slow(10)).toEqual(['a']);
  first(20);
  expect(endpoints.anyPrompt(30)).toBe(true);
  expect(endpoints.slow(30)).toEqual([]);
  const second = endpoints.begin('a', 500);
  expect(endpoints.anyPrompt(1_019)).toBe(true);
  expect(endpoints.anyPrompt(1_500)).toBe(false);
  expect(endpoints.slow(1_500)).toEqual(['a']);
  second(5_500);
  expect(endpoints.anyPrompt(5_500)).toBe(false);
  expect(endpoints.slow(5_500)).toEqual([]);
});
