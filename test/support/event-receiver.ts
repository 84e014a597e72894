import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { until } from './program.ts';

/** An event as it arrived at an endpoint. */
export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A real endpoint for events. `answer` gives the status of each response; default: 204. */
export async function openEventReceiver(answer: (one: ReceivedEvent, count: number) => number = () => 204) {
  const received: ReceivedEvent[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const one = { headers: request.headers as Record<string, string>, body, event: JSON.parse(body) };
      received.push(one);
      response.writeHead(answer(one, received.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    types: () => received.map(({ event }) => event.type),
    /** The events of this type, as soon as there are so many. */
    of: (type: string, count = 1): Promise<ReceivedEvent[]> =>
      until(() => {
        const found = received.filter(({ event }) => event.type === type);
        return found.length >= count && found;
      }),
  };
}

/** Whether the library of Standard Webhooks accepts the event with this secret. */
export function isSignedWith(secret: string, { headers, body }: ReceivedEvent): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
