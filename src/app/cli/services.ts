import { servicesData } from '../../base/platform/embedded/data.ts';
import { removeServices, serviceUsers, stopServices } from '../../base/platform/embedded/services.ts';
import { readDataDir } from '../../base/platform/files/data-dir.ts';
import { print } from './print.ts';

/** `quittance services stop`: stops the services. It refuses while a server, worker or command uses them. */
export async function servicesStop(options: { json?: boolean }): Promise<void> {
  const dataDir = readDataDir();
  const users = serviceUsers(dataDir);
  if (users.length > 0) {
    refuse(users, 'Nothing was stopped.');
    return;
  }
  const { postgres, chain } = await stopServices(dataDir);
  const names = [postgres && 'PostgreSQL', chain && 'the local chain'].filter(Boolean);
  print({ postgres, chain }, options.json, [names.length > 0 ? `Stopped ${names.join(' and ')}.` : 'Nothing ran.']);
}

/**
 * `quittance services remove`: deletes the embedded database and the local chain's state. Without `--yes` it lists what
 * it would delete and exits with 1. It refuses while a server, worker or command uses the services.
 */
export async function servicesRemove(options: { yes?: boolean; json?: boolean }): Promise<void> {
  const dataDir = readDataDir();
  if (!options.yes) {
    const paths = servicesData(dataDir);
    const lines = [
      'This deletes for good:',
      ...paths.map((path) => `  ${path}`),
      'Run it again with --yes to delete it.',
    ];
    print({ deleted: [], paths }, options.json, paths.length > 0 ? lines : ['There is nothing to delete.']);
    if (paths.length > 0) process.exitCode = 1;
    return;
  }
  const { deleted, users } = await removeServices(dataDir);
  if (users.length > 0) {
    refuse(users, 'Nothing was deleted.');
    return;
  }
  const lines =
    deleted.length > 0 ? ['Deleted:', ...deleted.map((path) => `  ${path}`)] : ['There was nothing to delete.'];
  print({ deleted, paths: deleted }, options.json, lines);
}

function refuse(users: readonly number[], outcome: string): void {
  const processes = users.length === 1 ? `process ${users[0]} uses` : `processes ${users.join(', ')} use`;
  process.stderr.write(`${processes} the embedded services: stop the server first. ${outcome}\n`);
  process.exitCode = 1;
}
