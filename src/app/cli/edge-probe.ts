import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { newUuid } from '../../base/core/ids.ts';

/** An edge's response. */
export interface Probed {
  /** 101 for an accepted websocket. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /**
   * Whether the origin made this response for this request: it returns the correlation id that was sent, and no cache
   * reports a hit. Null: unknown.
   */
  readonly fresh: boolean | null;
}

/** Sends a request to one host. Rejects with the connection's error, or after ten seconds. */
export type Probe = (method: string, url: string, headers?: Readonly<Record<string, string>>) => Promise<Probed>;

const TIMEOUT_MS = 10_000;

/**
 * Creates the probe.
 *
 * @param connect `host:port` to connect to instead of the host's DNS address, for use before a DNS change. Host header
 * and certificate check still use the host's name.
 */
export function openProbe(connect: string | null): Probe {
  return async (method, url, headers = {}) => {
    const to = new URL(url);
    const secure = to.protocol === 'https:';
    const [, host, port] = (secure ? connect : null)?.match(/^(.+):(\d+)$/) ?? [null, to.hostname, to.port];
    const correlationId = newUuid();
    const sent = (secure ? https : http).request({
      method,
      host,
      port: port || undefined,
      servername: to.hostname,
      path: to.pathname + to.search,
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { host: to.host, 'user-agent': 'quittance-edge-check', 'x-correlation-id': correlationId, ...headers },
    });
    return await new Promise<Probed>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: 101, headers: response.headers, body: '', fresh: true });
      });
      sent.on('response', (response) => {
        const given = response.headers['x-correlation-id'];
        text(response).then(
          (body) =>
            resolve({
              status: response.statusCode as number,
              headers: response.headers,
              body,
              fresh: isHit(response.headers) ? false : given === undefined ? null : given === correlationId,
            }),
          reject,
        );
      });
      sent.end();
    });
  };
}

/** Headers in which caches report a hit. */
const HIT_HEADERS = ['x-edge-cache', 'cf-cache-status', 'x-cache', 'x-cache-status', 'cache-status'] as const;

const isHit = (headers: IncomingHttpHeaders): boolean =>
  Number(headers.age) > 0 || HIT_HEADERS.some((name) => /\bhit\b/i.test(String(headers[name] ?? '')));
