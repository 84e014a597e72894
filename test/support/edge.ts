import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerAt } from './at-host.ts';
import type { Call } from './http.ts';
import { startTestServer, type TestServer } from './server.ts';
import { type Nginx, startNginx } from './services/nginx.ts';
import { type Authority, makeAuthority } from './services/openssl.ts';

const template = readFileSync(join(import.meta.dirname, '../../docs/run/edge/quittance.conf.template'), 'utf8');

/** What stands in `${…}` in the edge's configuration. */
export type EdgeVariables = Readonly<Record<`${'EDGE' | 'ORIGIN'}_${string}`, string>>;

/** The configuration under docs/run/edge/, filled in. Throws for a variable without a value. */
function edgeConfiguration(variables: EdgeVariables): string {
  return template.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
    const value = variables[name as keyof EdgeVariables];
    if (value === undefined) throw new Error(`docs/run/edge/quittance.conf.template names ${name}`);
    return value;
  });
}

export const PARTNER = 'pay.acme.example';
const ORIGIN = 'origin.quittance.internal';
export const EDGE_SECRET = 'edge-secret-edge-secret-edge-secret-0';

/**
 * A server that speaks TLS and takes only what comes through its edge, and the authorities that browsers and the edge
 * trust.
 */
export interface Origin {
  readonly server: TestServer;
  readonly port: number;
  readonly inside: Authority;
  readonly outside: Authority;
  /** The authority that browsers trust, for `callerAt`. */
  readonly ca: string;
  /** The server by its own name, past every edge. */
  readonly direct: Call;
  /** An edge in front of it with the configuration under docs/run/edge/; `change` alters what it says. */
  edge(options?: {
    variables?: EdgeVariables;
    change?: (configuration: string) => string;
    atEnd?: (clean: () => Promise<void>) => void;
  }): Promise<Nginx & { readonly call: Call }>;
  /** Ends the server alone. */
  down(): Promise<void>;
  /** Ends it, and deletes what was made for it. */
  stop(): Promise<void>;
}

/** Starts such a server, with further variables of its environment. */
export async function startOrigin(env: Readonly<Record<string, string>> = {}): Promise<Origin> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-origin-'));
  const inside = makeAuthority(folder, 'inside');
  const outside = makeAuthority(folder, 'outside');
  const { certFile, keyFile } = inside.issue(ORIGIN);
  const server = await startTestServer({
    env: {
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      EDGE_SECRET,
      BASE_URL: `https://${PARTNER}`,
      PARTNER_HOSTS: `${PARTNER}=acme`,
      ...env,
    },
  });
  const port = Number(new URL(server.url).port);
  const ca = readFileSync(outside.certFile, 'utf8');
  let ended: Promise<void> | null = null;
  const down = () => {
    ended ??= server.stop();
    return ended;
  };
  return {
    server,
    port,
    inside,
    outside,
    ca,
    direct: callerAt(`https://${ORIGIN}`, { port, ca: readFileSync(inside.certFile, 'utf8') }),
    async edge({ variables = {}, change = (text: string) => text, atEnd } = {}) {
      const shown = outside.issue(PARTNER);
      const nginx = await startNginx(
        (place) => {
          mkdirSync(join(place.folder, 'cache'), { recursive: true });
          return change(
            edgeConfiguration({
              EDGE_HOST: PARTNER,
              EDGE_HTTP_PORT: `127.0.0.1:${place.port}`,
              EDGE_HTTPS_PORT: `127.0.0.1:${place.tlsPort}`,
              EDGE_CERT: shown.certFile,
              EDGE_KEY: shown.keyFile,
              EDGE_CACHE: join(place.folder, 'cache'),
              EDGE_SECRET,
              ORIGIN_ADDRESS: `127.0.0.1:${port}`,
              ORIGIN_NAME: ORIGIN,
              ORIGIN_CA: inside.certFile,
              ...variables,
            }),
          );
        },
        { atEnd },
      );
      return { ...nginx, call: callerAt(`https://${PARTNER}`, { port: nginx.tlsPort, ca }) };
    },
    down,
    async stop() {
      await down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
