import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, isFreePort } from './process.ts';

/** The embedded services that listen on a port. */
export type ServiceName = 'postgres' | 'chain' | 'slowChain';

type Ports = Partial<Record<ServiceName, number>>;

const titles: Record<ServiceName, string> = {
  postgres: 'the embedded PostgreSQL',
  chain: 'the local chain',
  slowChain: 'the second local chain',
};

/**
 * The port of a service of a data directory: the stored port of earlier starts, so that saved addresses (a wallet's
 * network, a database client) stay valid. Chooses a new port if none is stored, or if another program uses it, which is
 * logged. Requires the record's lock. The caller stores the port with `keepPort` once the service answers.
 */
export async function choosePort(
  dataDir: string,
  name: ServiceName,
  log: { warn(message: string): void },
): Promise<number> {
  const stored = readPorts(dataDir)[name];
  if (stored !== undefined && (await isFreePort(stored))) return stored;
  const port = await findFreePort();
  if (stored !== undefined) {
    log.warn(`port ${stored} of ${titles[name]} is in use by another program; the new port is ${port}`);
    keepPort(dataDir, name, port);
  }
  return port;
}

/** Stores a service's port in the data directory for the next start. */
export function keepPort(dataDir: string, name: ServiceName, port: number): void {
  const ports = readPorts(dataDir);
  if (ports[name] === port) return;
  const draft = `${portsFile(dataDir)}.draft`;
  writeFileSync(draft, `${JSON.stringify({ ...ports, [name]: port })}\n`, { mode: 0o600 });
  renameSync(draft, portsFile(dataDir));
}

/** The stored ports; none if the file is absent or unreadable. */
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
