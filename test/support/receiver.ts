import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { apiChecks } from './documented.ts';
import { until } from './program.ts';

/** A webhook as it arrived. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly status: string; readonly receiptId: string };
}

/**
 * A merchant's endpoint; an event that is not as the API document says fails the test. `answer` says whether it answers
 * at all; one that it leaves hanging is recorded all the same.
 */
export async function openReceiver(answer: (one: Received) => boolean = () => true) {
  const received: Received[] = [];
  const faults: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const one = { headers: request.headers, body, event: JSON.parse(body) };
      received.push(one);
      faults.push(...apiChecks().webhookFaults(one.event));
      if (answer(one)) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    expect(faults).toEqual([]);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    /** Every arrival of this event about this receipt, as soon as there are so many. */
    about: (receiptId: string, status: string, count = 1): Promise<Received[]> =>
      until(() => {
        const found = received.filter(({ event }) => event.receiptId === receiptId && event.status === status);
        return found.length >= count && found;
      }),
  };
}
