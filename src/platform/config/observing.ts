import { z } from 'zod';
import { integer, read, text, url, variable } from './values.ts';

function parseHeaders(raw: string): Readonly<Record<string, string>> {
  const pairs = raw.split(',').map((pair) => /^\s*([\w-]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(
    pairs.map((pair) => {
      if (pair === null) throw new Error('must be name=value, separated by commas');
      return [pair[1]!.toLowerCase(), decodeURIComponent(pair[2]!.trim())];
    }),
  );
}

/** Where the service is watched: metrics and traces. */
export const OBSERVING_VARIABLES = {
  METRICS_PORT: variable(
    integer(0, 65_535),
    'no metrics',
    '9464',
    'Serves [metrics](metrics.md) for Prometheus at `/metrics` on this port of its own; 0 selects a free port.',
  ),
  METRICS_HOST: variable(
    text,
    '127.0.0.1',
    '10.0.0.5',
    'The address on which METRICS_PORT listens. The metrics need no credential, so it must not be public.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url('http:', 'https:'),
    'no traces',
    'http://127.0.0.1:4318',
    'Sends [traces](metrics.md#traces) to the OpenTelemetry collector at this address.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    read(parseHeaders),
    'none',
    'authorization=Bearer%20…',
    'Headers for the collector: name=value, separated by commas, with percent-encoded values.',
  ),
  OTEL_SERVICE_NAME: variable(text, 'quittance', 'quittance-worker', 'The name of this process in traces.'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z.coerce.number().min(0).max(1),
    '1',
    '0.1',
    'The share of the traces that are sent, of those that begin in this process.',
  ),
} as const;
