import { dirname, join } from 'node:path';
import { productOf, type Source, sources } from './sources.ts';
import { tableReads } from './table-owners.ts';

/** The tiers of `src`, lowest first, each with its districts in order. A tier without a list is one district. */
export const ORDER: Readonly<Record<string, readonly string[]>> = {
  // The client is a package of its own: it imports nothing of the server.
  client: [],
  base: ['core', 'outgoing', 'chain', 'platform', 'graphql', 'onchain', 'records'],
  domain: [
    'shop',
    'access',
    'webhooks',
    'sales',
    'payments',
    'settlement',
    'recurring',
    'people',
    'reports',
    'operations',
  ],
  doors: ['http', 'rest', 'pages'],
  // The composition root and the commands.
  app: [],
};

/** Every district from the lowest to the highest, as `tier/district`. */
const DISTRICTS = Object.entries(ORDER).flatMap(([tier, districts]) =>
  districts.length === 0 ? [tier] : districts.map((district) => `${tier}/${district}`),
);

/** Imports in a source text, including type-only ones. */
const IMPORT =
  /^\s*(?:import|export)\s[^'"]*?['"](\.[^'"]+)['"]|^\s*import\s*['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/gm;

/** That one file needs another: it imports from it, or reads the table that the other one declares. */
interface Need {
  readonly from: string;
  readonly to: string;
}

/**
 * Needs that go up: from a district to a later one, or round a circle of folders. At each level, the folders of one
 * folder and its own files need each other one way only. Tests may import from anywhere.
 */
export function importFaults(files: readonly Source[] = sources()): string[] {
  const product = productOf(files);
  const needs = [...product.flatMap(importsOf), ...tableReads(product)];
  const homeless = product.filter(({ path }) => rankOf(path) === -1);
  return [
    ...homeless.map(({ path }) => `${path}: has no place in the order of tiers and districts`),
    ...needs
      .filter(({ from, to }) => rankOf(to) > rankOf(from))
      .map(({ from, to }) => `${from}: ${districtOf(from)} must not need ${districtOf(to)} (${to})`),
    ...circles(needs).map(
      ({ folder, members }) =>
        `${folder}: a circle of ${members.join(', ')}: put what they share below, what joins them above`,
    ),
  ];
}

const importsOf = ({ path, text }: Source): Need[] =>
  [...text.matchAll(IMPORT)]
    .map((match) => ({ from: path, to: join(dirname(path), (match[1] ?? match[2] ?? match[3]) as string) }))
    .filter(({ to }) => to.startsWith('src/'));

function districtOf(path: string): string {
  const [, tier = '', district = ''] = path.split('/');
  return ORDER[tier]?.length === 0 ? tier : `${tier}/${district}`;
}

const rankOf = (path: string): number => DISTRICTS.indexOf(districtOf(path));

/** The circles among the members of each folder. A member is a folder, or `.` for the folder's own files. */
function circles(needs: readonly Need[]): { folder: string; members: string[] }[] {
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of needs) {
    const [folder, ...members] = membersOf(from, to);
    const [here, there] = members as [string, string];
    if (here === there) continue;
    const level = levels.get(folder) ?? new Map<string, Set<string>>();
    level.set(here, (level.get(here) ?? new Set()).add(there));
    levels.set(folder, level);
  }
  return [...levels].flatMap(([folder, level]) => {
    const members = [...level.keys()].filter((member) => reachable(level, member).has(member));
    return members.length === 0 ? [] : [{ folder, members: members.toSorted() }];
  });
}

/** The deepest folder that holds both files, and the member of it that each one belongs to. */
function membersOf(from: string, to: string): [folder: string, from: string, to: string] {
  const [one, other] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (depth < one.length - 1 && depth < other.length - 1 && one[depth] === other[depth]) depth += 1;
  const member = (path: readonly string[]) => (path.length - 1 > depth ? (path[depth] as string) : '.');
  return [one.slice(0, depth).join('/'), member(one), member(other)];
}

/** Every member that one needs, directly or through others. */
function reachable(level: ReadonlyMap<string, ReadonlySet<string>>, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let member = open.pop(); member !== undefined; member = open.pop())
    for (const next of level.get(member) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  return seen;
}
