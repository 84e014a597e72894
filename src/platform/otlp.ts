import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Logger } from './log.ts';

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

const TIMEOUT_MS = 2_000;
/** What waits while the collector is slow; further spans are lost. */
const WAITING_SPANS = 4_096;
/** A collector that does not answer is logged at most this often. */
const REPEAT_MS = 60_000;

/**
 * Opens the export to a collector, over OTLP/HTTP in JSON. Spans that the collector does not take are lost, and logged.
 */
export function openSpanExport(collector: Collector, log: Logger): SpanExport {
  const url = `${collector.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: { ...collector.headers }, timeoutMillis: TIMEOUT_MS });
  const report = lossReport(new URL(url).host, log);
  const processor = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.error) report(result.error, spans.length);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
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
