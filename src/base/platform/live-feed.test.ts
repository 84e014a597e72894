import { expect, onTestFinished, test } from 'vitest';
import { type Work, workBegins } from '../core/observed.ts';
import { beginWork, traceHeaders, withinWork } from '../core/traced.ts';
import { createLocalBus } from './bus.ts';
import { follow } from './live-feed.ts';

test('a feed reads for all its followers, so its reads are no part of the trace of the first one', async () => {
  const name = (work: Work) => {
    work.traceparent = work.name;
  };
  workBegins.subscribe(name);
  onTestFinished(() => void workBegins.unsubscribe(name));
  const bus = createLocalBus();
  onTestFinished(() => bus.close());
  const reads: object[] = [];
  const heard = Promise.withResolvers<readonly number[]>();
  const source = withinWork(beginWork({ kind: 'request', name: 'first' }), () => {
    const followed = follow<number, number>(
      {
        bus,
        channel: 'numbers',
        cursorOf: String,
        positionOf: (event) => event,
        isAfter: (position, other) => position > other,
        async read(after) {
          reads.push(traceHeaders());
          return { events: after === 0 ? [1] : [], more: false };
        },
      },
      0,
    );
    expect(traceHeaders()).toEqual({ traceparent: 'first' });
    expect(followed.joinFeed()).toBe(true);
    followed.tail.listen(heard.resolve);
    return followed;
  });
  onTestFinished(() => source.close());
  expect(await heard.promise).toEqual([1]);
  expect(reads[0]).toEqual({});
});
