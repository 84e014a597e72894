import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type MetricName } from './table.ts';

type Kind<Type> = { [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never }[MetricName];

/** The metrics of a process by their names, in a registry of their own. */
export interface Instruments {
  readonly registry: Registry;
  counter(name: Kind<'counter'>): Counter;
  histogram(name: Kind<'histogram'>): Histogram;
  gauge(name: Kind<'gauge'>): Gauge;
}

/** Creates the metrics of the table, without values. */
export function createInstruments(): Instruments {
  const registry = new Registry();
  const made = new Map<string, Counter | Gauge | Histogram>();
  for (const [name, metric] of Object.entries(METRICS)) {
    const options = { name, help: metric.help, labelNames: [...metric.labels], registers: [registry] };
    const instrument =
      metric.type === 'histogram'
        ? new Histogram({ ...options, buckets: [...metric.buckets] })
        : metric.type === 'counter'
          ? new Counter(options)
          : new Gauge(options);
    // A gauge without a value has no series: a fault of its source must not read as 0.
    if (instrument instanceof Gauge && metric.labels.length === 0) instrument.remove();
    made.set(name, instrument);
  }
  return {
    registry,
    counter: (name) => made.get(name) as Counter,
    histogram: (name) => made.get(name) as Histogram,
    gauge: (name) => made.get(name) as Gauge,
  };
}
