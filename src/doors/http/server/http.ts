import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { ANONYMOUS } from '../../../base/core/caller.ts';
import { malformed, type Refusal, refuse } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { parseSent } from '../../../base/core/json.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import { partnerHost } from '../../../base/platform/config/partner-hosts.ts';
import { followTls, readTls, type TlsFiles } from '../../../base/platform/config/tls.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { guardConnections, REQUEST_TIMEOUTS } from './connections.ts';
import { jsonFault } from './json-fault.ts';
import { noteRefusal } from './note-failure.ts';
import { beginRequest, traceRequests } from './traces.ts';

const MAX_BODY_BYTES = 1_048_576;
const CORRELATION_ID = /^[\w.:-]{1,128}$/;

/** Fastify's own errors, as refusals with the messages of the catalogue. */
const FASTIFY_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => refuse('payload_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refuse('unsupported_media_type'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => malformed('The request body must be JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => malformed('The Content-Length does not match the body'),
  FST_ERR_MAX_PARAM_LENGTH: () => refuse('not_found'),
  FST_ERR_BAD_URL: () => malformed('The path is not a valid URL path'),
};

/** Null if the error is not Fastify's. Other errors of Fastify with a status below 500 are errors of the request. */
function refusalOfFastify({ code, statusCode = 500 }: Partial<FastifyError>): Refusal | null {
  if (typeof code !== 'string' || !code.startsWith('FST_')) return null;
  return FASTIFY_REFUSALS[code]?.() ?? (statusCode < 500 ? malformed() : null);
}

/** Null unless the client went away in the middle of its body: no fault, and there is no one to read the answer. */
const refusalOfCut = (error: Error, { raw }: Pick<FastifyRequest, 'raw'>): Refusal | null =>
  raw.readableAborted && error.message === 'aborted' ? malformed('The request body was cut off') : null;

/**
 * Whether a request changes to the protocol of websockets. Some clients offer HTTP/2 with every request (`Upgrade:
 * h2c`), which the server does not speak: it answers them by HTTP/1.1.
 */
const wantsWebsocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /\bwebsocket\b/i.test(headers.upgrade ?? '');

/** Answers a refusal with an HTML page; null if there is none for it. */
type ErrorPage = (reply: FastifyReply, refusal: Refusal) => FastifyReply | null;

/** Whether a browser navigates to a page outside the API. */
const isVisit = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !/^\/(?:api|_next)(?:\/|$)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');

/**
 * Creates the HTTP server without routes: the headers of every answer, the body parsers, and the common form of errors.
 * `errorPage` answers browsers that navigate to a page which cannot be shown.
 */
export function createHttp(
  deps: Pick<Deps, 'settings' | 'log' | 'clock' | 'recentLists'>,
  errorPage: ErrorPage,
): FastifyInstance {
  const { settings, log, clock } = deps;
  const refusalOf = (error: FastifyError | Error, request: Pick<FastifyRequest, 'id' | 'raw'>) =>
    refusalOfFastify(error as FastifyError) ?? refusalOfCut(error, request) ?? toRefusal(error, log, request.id);
  const answer = (reply: FastifyReply, refusal: Refusal) => {
    reply.code(refusal.status).headers(retryHeaders(refusal, clock()));
    const page = isVisit(reply.request) ? errorPage(reply, refusal) : null;
    if (page) return page;
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(errorBody(refusal)));
  };
  const everyAnswer = ({ id, host }: Pick<FastifyRequest, 'id' | 'host'>) =>
    answerHeaders(settings, { correlationId: id, host });
  const server = fastify({
    ...optionsOf(settings),
    // Fastify calls this before any hook has run.
    frameworkErrors: (error, request, reply) =>
      void answer((reply as FastifyReply).headers(everyAnswer(request)), refusalOf(error, request)),
    clientErrorHandler: (error, socket) => answerUnreadable(settings, error, socket),
  });

  guardConnections(server.server, { behindEdge: settings.edgeSecret != null });
  // An unknown Expect may be ignored (RFC 9110). Node itself would answer 417 with an empty body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  if (settings.tls) renewCertificates(server, settings.tls, log);
  if (settings.traces) traceRequests(server);
  server.decorateRequest('caller');
  server.decorateRequest('cookiesToSet');
  server.decorateRequest('degraded', false);
  server.decorateRequest('scheme', 'http');
  server.addHook('onRequest', (request, reply, done) => {
    request.caller = ANONYMOUS;
    request.cookiesToSet = [];
    request.scheme = settings.baseUrl.startsWith('https:') ? 'https' : request.protocol;
    reply.headers(everyAnswer(request));
    if (lacksHost(request)) done(malformed('The request has no Host header'));
    else if (!isReadableQuery(request.url)) done(malformed('The query of the URL is not percent-encoded UTF-8'));
    else done();
  });
  if (log.isLevelEnabled('debug'))
    server.addHook('onResponse', async (request, reply) => logRequest(log, request, reply));
  parseJsonOnly(server);
  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error as FastifyError, request);
    noteRefusal(deps, request, reply, refusal);
    return answer(reply, refusal);
  });
  server.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(server, request);
    if (allowed.length === 0) return answer(reply, refuse('not_found'));
    reply.header('allow', allowed.join(', '));
    return answer(reply, refuse('method_not_allowed'));
  });
  return server;
}

/** The options of Fastify and of Node's server below it. */
function optionsOf({ tls }: Deps['settings']) {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = REQUEST_TIMEOUTS;
  const node = {
    headersTimeout,
    connectionsCheckingInterval,
    shouldUpgradeCallback: wantsWebsocket,
    // Node itself would answer a request without a Host, and with an empty body.
    requireHostHeader: false,
  };
  return {
    logger: false,
    ...(tls ? { https: { ...node, ...readTls(tls) } } : { http: node }),
    requestTimeout,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-correlation-id'];
      const traceId = beginRequest(request);
      return typeof given === 'string' && CORRELATION_ID.test(given) ? given : (traceId ?? newUuid());
    },
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 512 },
  } as const;
}

/** Uses renewed certificates as soon as their files are replaced. */
function renewCertificates(server: FastifyInstance, tls: TlsFiles, log: Deps['log']): void {
  const renewals = followTls(tls, server.server as unknown as Server, (error) =>
    log.warn({ error: error.message }, 'renewed TLS certificate rejected'),
  );
  server.addHook('onClose', async () => renewals.stop());
}

/** Accepts bodies as JSON only, and an empty one as none. */
function parseJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // Fastify's own parser refuses the key `__proto__` at any depth.
  const parse = server.getDefaultJsonParser('error', 'ignore');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    const foreign = refusalOfEncoding(request, bytes);
    if (foreign) return done(foreign);
    const text = bytes.toString('utf8');
    return parse(request, text, (error, value) => {
      if (error) return done(malformed(sentenceOfBroken(text)));
      try {
        return done(null, parseSent(text, value));
      } catch {
        return done(malformed('The request body has numbers of more digits than 64-bit floating point keeps'));
      }
    });
  });
}

/** JSON is UTF-8 (RFC 8259). Other bytes would be stored as replacement characters. */
function refusalOfEncoding({ headers }: Pick<FastifyRequest, 'headers'>, bytes: Buffer): Refusal | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuse('unsupported_media_type', 'Send the body without Content-Encoding');
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) return refuse('unsupported_media_type', 'Send the body as UTF-8');
  return isUtf8(bytes) ? null : malformed('The request body is not valid UTF-8');
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The methods that have a route at the path of a request. */
function methodsOf(server: FastifyInstance, { url }: FastifyRequest): readonly string[] {
  const path = url.split('?', 1)[0] as string;
  return METHODS.filter((method) => server.findRoute({ method, url: path }) !== null);
}

/**
 * Whether the bytes of a URL's query are percent-encoded UTF-8. On a page a `%` that encodes nothing stands for itself:
 * links to it carry parameters of others.
 */
function isReadableQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return true;
  const query = url.slice(start);
  try {
    decodeURIComponent(url.startsWith('/api/') ? query : query.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** HTTP/1.0 has no Host. */
const lacksHost = ({ headers, raw }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1';

/** Why a body was refused by the JSON parser. */
function sentenceOfBroken(body: string): string {
  const place = jsonFault(body);
  if (place === null) return 'The request body must not have the key __proto__';
  return `The request body is not valid JSON at ${place}`;
}

/** Logs an answered request. The route's pattern stands for the path, which may carry secrets and personal data. */
const logRequest = (log: Deps['log'], request: FastifyRequest, reply: FastifyReply) =>
  log.debug(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      correlationId: request.id,
    },
    'request',
  );

/** How long a client that was refused on the socket may read the answer. */
const REFUSAL_READ_MS = 1_000;

/**
 * Answers on the socket what does not parse as HTTP or does not arrive in time, in the common form of errors. It never
 * becomes a request.
 */
function answerUnreadable(
  settings: Deps['settings'],
  { code, rawPacket }: { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (!socket.writable || socket.destroyed) return void socket.destroy();
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const reason = isLate ? 'The request did not arrive in time' : 'The request is not valid HTTP';
  const body = JSON.stringify(errorBody(malformed(reason)));
  const [, host] = /^host:[ \t]*(\S+)/im.exec(rawPacket instanceof Buffer ? rawPacket.toString('latin1') : '') ?? [];
  const headers = {
    ...answerHeaders(settings, { correlationId: newUuid(), host: host ?? '' }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${isLate ? '408 Request Timeout' : '400 Bad Request'}\r\n${lines.join('')}\r\n${body}`);
  // A client that continues to send would keep its half of the connection open.
  const cut = setTimeout(() => socket.destroy(), REFUSAL_READ_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** The common form of an error over HTTP. */
export const errorBody = (refusal: Refusal) => ({ error: refusal.code, message: refusal.message, ...refusal.extra });

/** The Retry-After header, where waiting helps. */
export function retryHeaders(refusal: Refusal, now: number): Record<string, string> {
  const { resetAt } = refusal.extra;
  if (typeof resetAt === 'number') return { 'retry-after': String(Math.max(1, Math.ceil((resetAt - now) / 1000))) };
  return refusal.status === 503 ? { 'retry-after': '1' } : {};
}

/**
 * Headers of every answer on a partner's host, for any path and status, so that a shop's page can read the site and
 * sample its images. `Access-Control-Allow-Credentials` is never sent: with `*` a browser sends no cookie, so a foreign
 * page reads public content only.
 */
const PARTNER_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
} as const;

/** A browser that has seen this header opens no page of the host over http for a year. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * The headers of every answer. No cache may store it and no page of another site may read it, except on partners'
 * hosts. Only the built files under `/_next/static/` replace `cache-control`. Production that is served over https
 * stays so; on a developer's machine `localhost` has other ports as well.
 */
function answerHeaders(
  settings: Pick<Settings, 'partnerHosts' | 'baseUrl' | 'environment'>,
  { correlationId, host }: { readonly correlationId: string; readonly host: string },
): Readonly<Record<string, string>> {
  const headers = {
    'x-correlation-id': correlationId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(settings.environment === 'production' && settings.baseUrl.startsWith('https:') ? HTTPS_ONLY : {}),
  };
  return partnerHost(settings, host) === undefined ? headers : { ...headers, ...PARTNER_CORS };
}
