import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, isFreePort } from './process.ts';

/** The embedded services that listen on a port. */
export type ServiceName = 'postgres' | 'chain';

type Ports = Partial<Record<ServiceName, number>>;

const titles: Record<ServiceName, string> = { postgres: 'the embedded PostgreSQL', chain: 'the local chain' };

/**
 * The port for a service of a data directory: the one kept from earlier starts, so that addresses which people have saved
 * (a wallet's network, a database client) stay valid. A new one where none is kept, or where another program has taken it;
 * the log says so. Only to be called under the record's lock; the caller keeps the port with `keepPort` once the service answers.
 */
export async function choosePort(
  dataDir: string,
  name: ServiceName,
  log: { warn(message: string): void },
): Promise<number> {
  const kept = readPorts(dataDir)[name];
  if (kept !== undefined && (await isFreePort(kept))) return kept;
  const port = await findFreePort();
  if (kept !== undefined) {
    log.warn(`port ${kept} of ${titles[name]} is taken by another program: it uses ${port} from now on`);
    keepPort(dataDir, name, port);
  }
  return port;
}

/** Keeps a service's port in the data directory for the next start. */
export function keepPort(dataDir: string, name: ServiceName, port: number): void {
  const ports = readPorts(dataDir);
  if (ports[name] === port) return;
  const draft = `${portsFile(dataDir)}.draft`;
  writeFileSync(draft, `${JSON.stringify({ ...ports, [name]: port })}\n`, { mode: 0o600 });
  renameSync(draft, portsFile(dataDir));
}

/** The ports kept so far; an absent or unreadable file keeps none. */
function readPorts(dataDir: string): Ports {
  try {
    const ports: Ports = JSON.parse(readFileSync(portsFile(dataDir), 'utf8'));
    return ports ?? {};
  } catch {
    return {};
  }
}

function portsFile(dataDir: string): string {
  return join(dataDir, 'ports.json');
}
