import type { FastifyInstance } from 'fastify';
import {
  busMessages,
  chargeOutcomes,
  collectionsWithoutEffect,
  gasSpent,
  operations,
  type Reports,
  receiptMoves,
  rpcCalls,
  statements,
  webhookAttempts,
} from '../../../base/core/observed.ts';
import { EVENT_KINDS, RECEIPT_WEBHOOK } from '../../webhooks/events/kinds.ts';
import type { Instruments } from './instruments.ts';

const WEI_PER_COIN = 1e18;
const KINDS: ReadonlySet<string> = new Set(Object.keys(EVENT_KINDS));
const seconds = (startedMs: number): number => (performance.now() - startedMs) / 1000;
const outcome = (failed: boolean): 'ok' | 'error' => (failed ? 'error' : 'ok');

/** Counts what the process reports until the returned function is called. */
export function countReports(metrics: Instruments): () => void {
  const ends: (() => void)[] = [];
  function on<Report extends object>(reports: Reports<Report>, listener: (report: Report) => void): void {
    reports.subscribe(listener);
    ends.push(() => reports.unsubscribe(listener));
  }
  const taken = metrics.histogram('quittance_database_statement_duration_seconds');
  const ran = metrics.counter('quittance_database_statements_total');
  const waited = metrics.counter('quittance_database_statement_seconds_total');
  on(statements, ({ name, startedMs, failed }) => {
    const duration = seconds(startedMs);
    taken.observe(duration);
    ran.inc({ statement: name, outcome: outcome(failed) });
    waited.inc({ statement: name }, duration);
  });
  const called = metrics.counter('quittance_rpc_calls_total');
  const answered = metrics.histogram('quittance_rpc_call_duration_seconds');
  on(rpcCalls, ({ endpoint, method, startedMs, outcome }) => {
    called.inc({ endpoint, method, outcome });
    answered.observe({ endpoint, outcome }, seconds(startedMs));
  });
  const executed = metrics.counter('quittance_graphql_operations_total');
  const cost = metrics.counter('quittance_graphql_points_total');
  on(operations, ({ type, field, points, failed }) => {
    executed.inc({ type, field, outcome: outcome(failed) });
    cost.inc({ type, field }, points);
  });
  const attempted = metrics.histogram('quittance_webhook_attempt_duration_seconds');
  on(webhookAttempts, ({ event, target, startedMs, delivered }) => {
    const kind = target === 'receipt' ? RECEIPT_WEBHOOK : KINDS.has(event) ? event : 'other';
    attempted.observe({ kind, target, outcome: delivered ? 'delivered' : 'failed' }, seconds(startedMs));
  });
  const messages = metrics.counter('quittance_bus_messages_total');
  on(busMessages, ({ direction }) => messages.inc({ direction }));
  const moves = metrics.counter('quittance_receipt_moves_total');
  on(receiptMoves, ({ status }) => moves.inc({ status }));
  const charges = metrics.counter('quittance_charges_total');
  on(chargeOutcomes, (charge) => charges.inc({ outcome: charge.outcome }));
  const gas = metrics.counter('quittance_gas_spent_coins_total');
  on(gasSpent, ({ chainId, role, wei }) => gas.inc({ chain: String(chainId), role }, Number(wei) / WEI_PER_COIN));
  const failed = metrics.counter('quittance_collections_without_effect_total');
  on(collectionsWithoutEffect, ({ chainId }) => failed.inc({ chain: String(chainId) }));
  return () => {
    for (const end of ends) end();
  };
}

/** Counts the requests of a server. The route's pattern stands for the path, which may name a receipt. */
export function countRequests(metrics: Instruments, server: FastifyInstance): void {
  const answered = metrics.histogram('quittance_http_request_duration_seconds');
  type Observer = { observe(seconds: number): void };
  const observers = new Map<string, Observer>();
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const outcome = `${Math.floor(reply.statusCode / 100)}xx`;
    const key = `${request.method} ${route} ${outcome}`;
    let observer = observers.get(key);
    if (!observer) {
      observer = answered.labels({ method: request.method, route, outcome });
      observers.set(key, observer);
    }
    observer.observe(reply.elapsedTime / 1000);
    done();
  });
}
