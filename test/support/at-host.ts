import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import type { Call } from './http.ts';

/** Where a name leads in a test: a loopback port, and for https who is trusted. */
export interface Place {
  readonly port: number;
  /** The certificates (PEM) of the authority that is trusted alone; not checked where there is none. */
  readonly ca?: string;
}

/**
 * Calls a server by another name than its address, as `fetch` cannot: the Host header, and over https the name that is
 * asked for and checked, are those of `origin`, and the connection goes to this port of the loopback. A body is sent as
 * JSON, `raw` as it is.
 */
export function callerAt(origin: string, { port, ca }: Place): Call {
  const { protocol, hostname, host } = new URL(origin);
  return async (method, path, { headers = {}, body, raw } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const sent = (protocol === 'https:' ? https : http).request({
      host: '127.0.0.1',
      port,
      servername: hostname,
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
      agent: false,
      method,
      path,
      headers: { host, ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
      sent.end(payload);
    });
    const answer = await text(response);
    const json = response.headers['content-type']?.includes('json');
    const all = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return {
      status: response.statusCode as number,
      headers: new Headers(all),
      body: json && answer !== '' ? JSON.parse(answer) : answer,
    };
  };
}
