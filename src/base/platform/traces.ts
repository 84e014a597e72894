import { randomBytes } from 'node:crypto';
import { type Work, workBegins, workEnds } from '../core/observed.ts';
import type { Config } from './config/config.ts';
import type { Logger } from './log/log.ts';

/** The traces of this process. */
export interface Traces {
  /** Sends what is not sent yet, within two seconds. */
  stop(): Promise<void>;
}

/** The place of work in its trace. */
interface Begun {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** Whether the trace is sent. Decided where it begins. */
  readonly sampled: boolean;
  readonly startMs: number;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/;
const KINDS = {
  request: 'server',
  resolver: 'internal',
  statement: 'client',
  rpc: 'client',
  webhook: 'client',
} as const;

const newId = (bytes: number): string => randomBytes(bytes).toString('hex');
const nowMs = (): number => performance.timeOrigin + performance.now();

/** Sends a span for each work of this process to the collector of OTEL_EXPORTER_OTLP_ENDPOINT; null without one. */
export async function startTraces({
  settings,
  log,
}: {
  readonly settings: Pick<Config, 'traces'>;
  readonly log: Logger;
}): Promise<Traces | null> {
  if (settings.traces === null) return null;
  const { share } = settings.traces;
  // Loaded only where it is used: it brings the packages of OpenTelemetry.
  const { openSpanExport } = await import('./otlp.ts');
  const exported = openSpanExport(settings.traces, log);
  const places = new WeakMap<Work, Begun>();

  function placeOf({ parent, remote }: Work): Begun {
    const own = { spanId: newId(8), startMs: nowMs() };
    const known = parent && places.get(parent);
    if (known) return { ...own, traceId: known.traceId, parentSpanId: known.spanId, sampled: known.sampled };
    const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(remote ?? '') ?? [];
    if (traceId === undefined || parentSpanId === undefined)
      return { ...own, traceId: newId(16), parentSpanId: null, sampled: Math.random() < share };
    return { ...own, traceId, parentSpanId, sampled: (Number.parseInt(flags!, 16) & 1) === 1 };
  }
  function begin(work: Work): void {
    const place = placeOf(work);
    places.set(work, place);
    work.traceparent = `00-${place.traceId}-${place.spanId}-0${place.sampled ? 1 : 0}`;
  }
  function end({ work, failed, name = work.name, attributes }: Parameters<typeof workEnds.publish>[0]): void {
    const place = places.get(work);
    if (!place?.sampled) return;
    const { sampled: _, ...span } = place;
    const kind = KINDS[work.kind];
    exported.add({ ...span, name, kind, endMs: nowMs(), attributes: { ...work.attributes, ...attributes }, failed });
  }
  workBegins.subscribe(begin);
  workEnds.subscribe(end);
  return {
    async stop() {
      workBegins.unsubscribe(begin);
      workEnds.unsubscribe(end);
      await exported.stop();
    },
  };
}
