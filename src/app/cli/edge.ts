import { randomBytes } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { newUuid } from '../../base/core/ids.ts';
import { print } from './print.ts';

/**
 * `quittance edge check`: checks the rules for a partner's host at its edge, and prints the fix of each violation.
 * Exits with 1 if a rule is violated.
 */
export async function edgeCheck(address: string, options: { json?: boolean; connect?: string }): Promise<void> {
  const report = await checkEdge(openProbe(options.connect ?? null), new URL(address).origin);
  const faults = report.checks.filter(({ ok }) => !ok);
  const verdict = faults.length === 0 ? 'Every rule holds.' : `${faults.length} of the rules asked do not hold.`;
  print(report, options.json, [
    ...report.checks.flatMap(({ rule, ok, problem, change }) =>
      ok ? [`ok      ${rule}`] : [`WRONG   ${rule}: ${problem}`, `        ${change}`],
    ),
    ...(report.brandKey === null ? [] : [`        the host shows the brand ${report.brandKey}`]),
    verdict,
  ]);
  if (!report.ok) process.exitCode = 1;
}

/** The result of one rule for an edge. */
interface Checked {
  readonly rule: Rule;
  readonly ok: boolean;
  /** What was observed if the rule is violated. */
  readonly problem: string | null;
  /** How to fix it. */
  readonly change: string | null;
}

/** The rules in the order of their checks, each with its fix. */
const CHANGES = {
  reachable: 'Let the name lead to the edge, and give the edge a certificate for this name.',
  redirects:
    'Set the encryption between edge and origin to full (strict). In flexible mode the edge asks the origin by plain HTTP, which sends it back to HTTPS, for ever.',
  origin:
    'Let the edge reach the origin by HTTPS, and trust the authority of its certificate for the name it asks for. Do not turn the check off.',
  secret: 'Let the edge set x-edge-secret to the value of EDGE_SECRET, whatever the client sends under that name.',
  firewall:
    'Let paths that start with /api/ skip managed firewall rules, bot protection and browser checks: tills and webhooks are no browsers.',
  site: 'Let the edge pass every path and the Host header on to the Quittance server.',
  cors: 'Send, once each, on every answer of this host: Access-Control-Allow-Origin: *, Access-Control-Allow-Methods: GET, POST, OPTIONS, PUT, DELETE, Access-Control-Allow-Headers: *; and no Access-Control-Allow-Credentials. The server does so for hosts in PARTNER_HOSTS.',
  preflight: 'Pass OPTIONS requests on to the origin; the server answers them for hosts in PARTNER_HOSTS.',
  'api-uncached': 'Bypass the cache for /api/, keep the origin’s Cache-Control, and purge the cache.',
  'pages-uncached':
    'Bypass the cache for everything but /_next/static/, keep the origin’s Cache-Control, and purge the cache.',
  'static-cors':
    'Send the CORS headers on files under /_next/static/ too, and purge the cache: it may hold answers without them.',
  'static-cached':
    'Cache /_next/static/ at the edge for a month or a year, ignoring the origin’s headers, and let browsers keep it as the origin says.',
  websocket: 'Pass the headers Upgrade and Connection on to the origin for /api/graphql.',
} as const;

type Rule = keyof typeof CHANGES;

/** Thrown when further checks would only repeat the same result. */
class Stop extends Error {}

export interface EdgeReport {
  readonly ok: boolean;
  readonly url: string;
  /** The brand of the host's site; null if it could not be read. */
  readonly brandKey: string | null;
  readonly checks: readonly Checked[];
}

const ORIGIN = 'https://edge-check.example';

/**
 * Checks a partner's host against the rules for its edge. Never rejects: a check that fails to run counts as a
 * violation.
 */
async function checkEdge(probe: Probe, url: string): Promise<EdgeReport> {
  const checks: Checked[] = [];
  const say = (rule: Rule, problems: readonly string[]) => {
    const ok = problems.length === 0;
    checks.push({ rule, ok, problem: ok ? null : problems.join('; '), change: ok ? null : CHANGES[rule] });
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    probe('GET', url + path, { origin: ORIGIN, ...headers });
  let brandKey: string | null = null;
  try {
    const site = await readSite(probe, url, say);
    brandKey = site.brandKey;
    say('cors', corsFaults(site.answer));
    say('secret', secretFaults(await get('/api/site/config', { 'x-edge-secret': 'edge-check' })));
    say('firewall', firewallFaults(await get('/api/terminal/check-payment?receiptId=edge-check')));
    const preflight = await probe('OPTIONS', `${url}/api/orders`, {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
    });
    say(
      'preflight',
      preflight.status === 204 ? corsFaults(preflight) : [`OPTIONS /api/orders is answered ${preflight.status}`],
    );
    say('api-uncached', cacheFaults('/api/site/config', [site.answer, await get('/api/site/config')]));
    const page = `/portal/edge-check-${randomBytes(6).toString('hex')}`;
    const pages = [await get(page), await get(page)];
    say('pages-uncached', cacheFaults(page, pages));
    await checkStatic(get, pages[0] as Probed, say);
    say('websocket', await socketFaults(probe, url));
  } catch (error) {
    if (!(error instanceof Stop)) say('reachable', [(error as Error).message]);
  }
  return { ok: checks.every(({ ok }) => ok), url, brandKey, checks };
}

type Say = (rule: Rule, problems: readonly string[]) => void;

/** `GET /api/site/config`, on which the other checks depend. */
async function readSite(probe: Probe, url: string, say: Say): Promise<{ answer: Probed; brandKey: string }> {
  const stop = (rule: Rule, problem: string): never => {
    say(rule, [problem]);
    throw new Stop();
  };
  const siteUrl = `${url}/api/site/config`;
  const answer = await probe('GET', siteUrl, { origin: ORIGIN }).catch((error: NodeJS.ErrnoException) =>
    stop('reachable', [error.code, error.message].filter(Boolean).join(': ')),
  );
  say('reachable', []);
  if (answer.status >= 300 && answer.status < 400) {
    const way = await followRedirects(probe, siteUrl, answer);
    stop('redirects', `GET /api/site/config is redirected ${way.join(' -> ')}`);
  }
  say('redirects', []);
  // 502 and 504 come from any proxy; 520 to 526 from Cloudflare, if the origin refuses or has an invalid certificate.
  if ([502, 504].includes(answer.status) || (answer.status >= 520 && answer.status <= 527)) {
    stop(
      'origin',
      `GET /api/site/config is answered ${answer.status}: the edge does not reach its origin, or does not trust it`,
    );
  }
  say('origin', []);
  if (answer.body.includes('origin enforcement failed')) {
    stop('secret', 'the server does not find its EDGE_SECRET in x-edge-secret');
  }
  const challenged = firewallFaults(answer, [200]);
  if (challenged.length > 0) stop('firewall', challenged.join('; '));
  const brandKey = siteOf(answer);
  if (brandKey === null) return stop('site', 'GET /api/site/config is not the answer of a Quittance server');
  say('site', []);
  return { answer, brandKey };
}

/** The addresses of a redirect chain, until it repeats or ends. */
async function followRedirects(probe: Probe, from: string, first: Probed): Promise<string[]> {
  const way = [from];
  let answer = first;
  while (way.length < 6 && answer.headers.location !== undefined) {
    const next = new URL(answer.headers.location, way.at(-1)).href;
    const again = way.includes(next);
    way.push(next);
    if (again) return [...way, '… in circles'];
    const followed = await probe('GET', next).catch(() => null);
    if (!followed || followed.status < 300 || followed.status > 399) break;
    answer = followed;
  }
  return way;
}

function siteOf({ body }: Probed): string | null {
  try {
    const { brandKey, theme } = JSON.parse(body) as { brandKey?: unknown; theme?: unknown };
    return typeof brandKey === 'string' && typeof theme === 'object' ? brandKey : null;
  } catch {
    return null;
  }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
} as const;

const words = (value: unknown): string =>
  String(value)
    .toUpperCase()
    .split(',')
    .map((word) => word.trim())
    .sort()
    .join();

function corsFaults({ headers }: Probed): string[] {
  const faults = Object.entries(CORS).flatMap(([name, wanted]) => {
    const given = headers[name];
    if (given === undefined) return [`${name} is missing`];
    return words(given) === words(wanted) ? [] : [`${name} is "${given}", not "${wanted}"`];
  });
  const credentials = headers['access-control-allow-credentials'];
  return credentials === undefined ? faults : [...faults, `access-control-allow-credentials is "${credentials}"`];
}

/** JSON with one of these statuses comes from the server; an HTML page comes from the firewall. */
function firewallFaults({ status, headers }: Probed, wanted: readonly number[] = [401]): string[] {
  const json = headers['content-type']?.includes('json');
  return json && (wanted.includes(status) || status === 429)
    ? []
    : [`a caller that is no browser is answered ${status}, ${headers['content-type'] ?? 'without a type'}`];
}

const secretFaults = ({ body }: Probed): string[] =>
  body.includes('origin enforcement failed') ? ['what a client sends as x-edge-secret reaches the server'] : [];

/** Both responses must come from the origin and must not be cacheable. */
function cacheFaults(path: string, answers: readonly Probed[]): string[] {
  const faults: string[] = [];
  if (answers.some((answer) => answer.fresh === false)) faults.push(`${path} is answered from a cache`);
  const control = answers[0]?.headers['cache-control'];
  if (control !== 'no-store') faults.push(`${path} says "cache-control: ${control ?? ''}", not "no-store"`);
  return faults;
}

const MONTH_S = 2_592_000;
const CACHE_TRIES = 4;

/**
 * Checks a built file that the page links: CORS headers, cached by the edge and by browsers. A CDN with several nodes
 * may need a few requests to cache it.
 */
async function checkStatic(get: (path: string) => Promise<Probed>, page: Probed, say: Say): Promise<void> {
  const [file] = /\/_next\/static\/[^"'\s>]+/.exec(page.body) ?? [];
  if (file === undefined) return say('site', ['the page names no file under /_next/static/']);
  const answers: Probed[] = [];
  while (answers.length < CACHE_TRIES && !answers.some((answer) => answer.fresh === false))
    answers.push(await get(file));
  const last = answers.at(-1) as Probed;
  const refused = last.status === 200 ? [] : [`${file} is answered ${last.status}`];
  say('static-cors', [...refused, ...corsFaults(last)]);
  const maxAge = Number(/max-age=(\d+)/.exec(String(last.headers['cache-control']))?.[1] ?? 0);
  const faults = refused.slice();
  if (last.fresh !== false) faults.push(`${file} comes from the origin each time (${CACHE_TRIES} requests)`);
  if (maxAge < MONTH_S) faults.push(`${file} says "cache-control: ${last.headers['cache-control'] ?? ''}"`);
  say('static-cached', faults);
}

async function socketFaults(probe: Probe, url: string): Promise<string[]> {
  const answer = await probe('GET', `${url}/api/graphql`, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': 'graphql-transport-ws',
  });
  return answer.status === 101 ? [] : [`a websocket to /api/graphql is answered ${answer.status}`];
}

/** An edge's response. */
interface Probed {
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
type Probe = (method: string, url: string, headers?: Readonly<Record<string, string>>) => Promise<Probed>;

const TIMEOUT_MS = 10_000;

/**
 * Creates the probe.
 *
 * @param connect `host:port` to connect to instead of the host's DNS address, for use before a DNS change. Host header
 * and certificate check still use the host's name.
 */
function openProbe(connect: string | null): Probe {
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
