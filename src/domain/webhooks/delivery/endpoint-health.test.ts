import { expect, test } from 'vitest';
import { createEndpoints } from './endpoint-health.ts';

test('an endpoint is prompt for a second after a quick response, unless a request is still waiting', () => {
  const endpoints = createEndpoints();
  const room = (nowMs: number) => endpoints.room(nowMs).room[0]?.free;
  endpoints.claimed('a');
  const first = endpoints.begin('a', 0);
  expect(room(10)).toBe(3);
  first(20);
  expect(room(30)).toBe(255);
  const second = endpoints.begin('a', 500);
  expect(room(1_019)).toBe(255);
  expect(room(1_500)).toBe(3);
  second(5_500);
  expect(room(5_500)).toBe(3);
});

test('an endpoint with as many jobs as it may have is full, and is forgotten once it has none and is not prompt', () => {
  const endpoints = createEndpoints();
  for (let i = 0; i < 4; i++) endpoints.claimed('a');
  expect(endpoints.room(0)).toEqual({ full: ['a'], room: [], others: 4 });
  endpoints.released('a');
  expect(endpoints.room(0)).toEqual({ full: [], room: [{ endpoint: 'a', free: 1 }], others: 4 });
  for (let i = 0; i < 3; i++) endpoints.released('a');
  expect(endpoints.room(0)).toEqual({ full: [], room: [], others: 4 });
});
