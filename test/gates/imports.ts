import { dirname, join } from 'node:path';
import { type Source, sources } from './sources.ts';

/** The import order of the folders: a folder imports from itself and from earlier folders only. */
export const ORDER = [
  // The client is a package of its own: it imports nothing of the server.
  'client',
  'core',
  'outgoing',
  'chain',
  'platform',
  'graphql',
  'spender',
  'audit',
  'merchants',
  'keys',
  'tax',
  'fx',
  'images',
  'catalog',
  'blocks',
  'splits',
  'pricing',
  'webhooks',
  'receipts',
  'orders',
  'quotes',
  'gasless',
  'payments',
  'settlement',
  'refunds',
  'onramp',
  'plans',
  'subscriptions',
  'charges',
  'underway',
  'events',
  'receipt-search',
  'payouts',
  'exports',
  'statistics',
  'attention',
  'users',
  'billing',
  'gateway',
  'people',
  'privacy',
  'onboarding',
  'operators',
  'retention',
  'metrics',
  'server',
  'x402',
  'rest',
  'pages',
  // The composition root and the commands.
  '.',
  'cli',
];

/** Imports in a source text, including type-only ones. */
export const IMPORT =
  /^\s*(?:import|export)\s[^'"]*?['"](\.[^'"]+)['"]|^\s*import\s*['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/gm;

/** The folder of `src` that a file belongs to; `.` for files of `src` itself. */
export const folderOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? '.';

/** Imports from later folders, and folders that are not in the order. Tests may import from anywhere. */
export function importFaults(files: readonly Source[] = sources()): string[] {
  const faults: string[] = [];
  for (const { path, text } of files) {
    if (path.includes('.test.') || path.includes('/test/')) continue;
    const from = folderOf(path);
    if (!ORDER.includes(from)) faults.push(`${path}: the folder ${from} has no place in the import order`);
    for (const match of text.matchAll(IMPORT)) {
      const target = join(dirname(path), (match[1] ?? match[2] ?? match[3]) as string);
      if (!target.startsWith('src/')) continue;
      const to = folderOf(target);
      if (ORDER.indexOf(to) > ORDER.indexOf(from))
        faults.push(`${path}: ${from} must not import from ${to} (${target})`);
    }
  }
  return faults;
}
