import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A span as the collector receives it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** Listens until the test ends: takes every request, and passes it on where there is a target. */
export async function listen(
  heard: (headers: IncomingHttpHeaders, body: string, path: string) => void,
  target?: string,
) {
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    heard(request.headers, body, request.url ?? '');
    const headers = { 'content-type': 'application/json' };
    const answer = target ? await (await fetch(target, { method: 'POST', headers, body })).text() : '{}';
    response.writeHead(200, headers).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector of OpenTelemetry, for a server with `x-key: a b` among its headers. */
export async function openCollector() {
  const exports: Export[] = [];
  const url = await listen((headers, body, path) => {
    expect([headers['content-type'], headers['x-key'], path]).toEqual(['application/json', 'a b', '/v1/traces']);
    exports.push(JSON.parse(body));
  });
  const resources = () => exports.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url,
    services: () => new Set(resources().map(({ resource }) => attributeOf(resource, 'service.name'))),
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  };
}

/** The value of a span's attribute. */
export const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
