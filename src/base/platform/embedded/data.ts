import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresFolders } from './postgres-home.ts';

/**
 * The services' files in DATA_DIR, apart from the databases. Generated secrets and the journal belong to the server.
 */
const serviceFiles = /^(chain-.+|chain\.log|ports\.json|postgres-password|services\.json)$/;

/** The files and folders of the embedded services' data: databases, chain state, their logs, ports and password. */
export function servicesData(dataDir: string): string[] {
  const files = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => serviceFiles.test(name)) : [];
  return [...postgresFolders(dataDir).filter(existsSync), ...files.sort().map((name) => join(dataDir, name))];
}

/** Deletes the data of stopped services. Requires the record's lock. */
export function eraseServicesData(dataDir: string): string[] {
  const paths = servicesData(dataDir);
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  return paths;
}
