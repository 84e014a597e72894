import { WebSocket } from 'ws';
import { until } from '../support/program.ts';
import type { Dice } from '../support/seeded.ts';
import { answerFaults } from './graphql-answers.ts';
import { bomb, operation } from './graphql-requests.ts';
import { callerOf, type Shop } from './session.ts';
import { hostile, spoiled, textOf } from './values.ts';

const CLOSE_CODES = /^(1000|1001|1002|1003|1005|1006|1007|1008|1009|1011|1013|4\d\d\d)$/;

/** Frames of one connection: mostly of the protocol, some of them wrong. */
function framesFor(dice: Dice, shop: Shop): (string | Buffer)[] {
  const subscribe = (id: string) => {
    const kind = dice.pick(['subscription', 'subscription', 'query'] as const);
    return { id, type: 'subscribe', payload: operation(dice, kind, shop, dice.chance(0.3)) };
  };
  const id = () => dice.pick(['1', '2', 'same', shop.canary]);
  const frames = {
    subscribe: () => JSON.stringify(subscribe(id())),
    complete: () => JSON.stringify({ id: id(), type: 'complete' }),
    ping: () => '{"type":"ping"}',
    init: () => '{"type":"connection_init"}',
    bomb: () => JSON.stringify({ id: id(), type: 'subscribe', payload: { query: bomb(dice) } }),
    spoiled: () => textOf(spoiled(dice, subscribe(id()))),
    value: () => textOf(hostile(dice)),
    text: () => dice.pick(['', '{', 'null', '{"type":"ka"}', '[]'.repeat(50), '\u0000']),
    binary: () => Buffer.alloc(dice.below(3_000), 0xff),
  };
  const weights = { subscribe: 10, complete: 3, ping: 3, init: 1, bomb: 1, spoiled: 4, value: 1, text: 1, binary: 1 };
  return Array.from({ length: 1 + dice.below(6) }, () => frames[dice.weighted(weights)]());
}

/** Plays one connection. Returns what the server said, or why it should not have. */
export async function playSocket(dice: Dice, url: string, shop: Shop): Promise<{ said: string; faults: string[] }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/graphql`, 'graphql-transport-ws');
  let said = '';
  let isOpen = false;
  let code: number | null = null;
  const faults: string[] = [];
  socket.on('message', (data) => {
    said += `${data}\n`;
  });
  socket.on('open', () => {
    isOpen = true;
  });
  socket.on('error', () => {});
  socket.on('close', (closed) => {
    code = closed;
  });
  await until(() => isOpen || code !== null);
  const payload = dice.chance(0.85) ? callerOf(dice, shop) : hostile(dice);
  const frames = [textOf({ type: 'connection_init', payload }), ...framesFor(dice, shop), '{"type":"ping"}'];
  for (const frame of dice.chance(0.9) ? frames : frames.slice(1))
    if (socket.readyState === WebSocket.OPEN) socket.send(frame);
  // It answers the last ping, or closes the connection.
  await until(() => code !== null || said.includes('"pong"'));
  socket.close();
  await until(() => code !== null);
  faults.push(...socketFaults(frames, said));
  if (!CLOSE_CODES.test(String(code))) faults.push(`the socket closes with ${code}`);
  if (/"code":"failed"|INTERNAL_SERVER_ERROR| {4}at /.test(said)) faults.push(`the socket says ${said.slice(0, 500)}`);
  return { said, faults };
}

/** What results have that the schema does not allow. */
function socketFaults(frames: readonly (string | Buffer)[], said: string): string[] {
  const asked = frames.flatMap((frame) => {
    const message = typeof frame === 'string' ? parsed(frame) : null;
    return message?.type === 'subscribe' ? [message] : [];
  });
  return said.split('\n').flatMap((line) => {
    const message = parsed(line);
    if (message?.type !== 'next') return [];
    // Of several operations with one id, one ran: which one is not known here.
    const [one, ...others] = asked.filter(({ id }) => id === message.id);
    return one && others.length === 0 ? answerFaults(String(one.payload?.query), message.payload ?? {}) : [];
  });
}

interface Message {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly payload?: Parameters<typeof answerFaults>[1] & { readonly query?: unknown };
}

function parsed(text: string): Message | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
