import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ExportResultCode, millisToHrTime } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { DESTINATIONS } from '../outgoing/destinations.ts';
import { openFixedHost } from '../outgoing/fixed-host.ts';
import type { Logger } from './log/log.ts';

/** A span that has ended. */
interface EndedSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  /** Epoch ms, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** Where spans are sent. */
export interface Collector {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the service. */
  readonly service: string;
}

/** Sends spans in batches. */
export interface SpanExport {
  add(span: EndedSpan): void;
  /** Sends what waits, within two seconds. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = DESTINATIONS.traces.timeoutMs;
/** What waits while the collector is slow; further spans are lost. */
const WAITING_SPANS = 4_096;
/** A collector that does not answer is logged at most this often. */
const REPEAT_MS = 60_000;

/**
 * Opens the export to a collector, over OTLP/HTTP in JSON. Spans that the collector does not take are lost, and logged.
 */
export function openSpanExport(collector: Collector, log: Logger): SpanExport {
  const url = `${collector.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const send = openFixedHost(url);
  async function post(spans: readonly ReadableSpan[]): Promise<void> {
    const headers = { 'content-type': 'application/json', ...collector.headers };
    const body = Buffer.from(JsonTraceSerializer.serializeRequest([...spans])!);
    const answer = await send(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
  }
  const report = lossReport(new URL(url).host, log);
  const processor = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        post(spans).then(
          () => done({ code: ExportResultCode.SUCCESS }),
          (error: Error) => {
            report(error, spans.length);
            done({ code: ExportResultCode.FAILED, error });
          },
        ),
      shutdown: async () => {},
    },
    maxQueueSize: WAITING_SPANS,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  const common = {
    ...{ links: [], events: [], ended: true, resource: resourceFromAttributes({ 'service.name': collector.service }) },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    instrumentationScope: { name: 'quittance' },
  };
  const placeOf = (traceId: string, spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    add({ traceId, spanId, parentSpanId, kind, startMs, endMs, failed, ...span }) {
      processor.onEnd({
        ...{ ...common, ...span, kind: KINDS[kind] },
        spanContext: () => placeOf(traceId, spanId),
        ...(parentSpanId !== null && { parentSpanContext: placeOf(traceId, parentSpanId) }),
        startTime: millisToHrTime(startMs),
        endTime: millisToHrTime(endMs),
        duration: millisToHrTime(endMs - startMs),
        status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      } satisfies ReadableSpan);
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, TIMEOUT_MS).unref());
      await Promise.race([processor.shutdown().catch(() => {}), late]);
    },
  };
}

/** Logs spans that are lost, at most once a minute. */
function lossReport(endpoint: string, log: Logger): (error: Error, spans: number) => void {
  let lost = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error, spans) => {
    lost += spans;
    if (performance.now() - loggedAt < REPEAT_MS) return;
    loggedAt = performance.now();
    log.warn({ endpoint, lost, reason: error.message }, 'traces not exported');
    lost = 0;
  };
}
