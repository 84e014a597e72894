import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GraphQLError, Kind } from 'graphql';
import { LRUCache } from 'lru-cache';
import { boundedCache } from '../core/caches.ts';
import type { Caller } from '../core/caller.ts';
import { parseJson } from '../core/json.ts';
import { configFault } from '../platform/config/variable-fault.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Executor } from './execute.ts';
import { parseWithin } from './limits.ts';

/** The documents that the operator trusts, by their ids. */
export interface TrustedDocuments {
  /** The text of a document; undefined if no document has this id. */
  textOf(id: string): string | undefined;
  /** Whether a text is the text of a document, to the letter. */
  has(text: string): boolean;
}

/** A document as it was found. `id` is its name or its id in the manifest. */
interface Entry {
  readonly id: string;
  readonly text: string;
  /** What a fault names. */
  readonly origin: string;
}

/** An id without a colon, or one whose prefix begins with `x-`. The prefix `sha256` is the server's own. */
const ID = /^(?:x-[\w.~-]+:)?[\w.~-]+$/;
const HASH_ID = /^sha256:([0-9a-f]{64})$/;
const EXTENSION = /\.(?:graphql|gql)$/;

/**
 * Loads the documents of `TRUSTED_DOCUMENTS`: a folder of `.graphql` files, or a JSON manifest (an object of texts by
 * id, or Apollo's form). Each document is known by `sha256:` and the hash of its text, and by the name of its file or
 * its id in the manifest. Throws a `ConfigFaults` that names each bad document: one that does not parse, is not valid
 * for the schema or exceeds a limit, and an id of two documents.
 */
export function loadDocuments(path: string | null, executor: Pick<Executor, 'prepare'>): TrustedDocuments {
  const texts = new Map<string, string>();
  if (path === null) return { textOf: (id) => texts.get(id), has: () => false };
  const faults: string[] = [];
  const entries = readEntries(path, faults);
  for (const { id, text, origin } of entries) {
    const [, hash] = HASH_ID.exec(id) ?? [];
    if (hash !== undefined ? hash !== sha256(text) : !ID.test(id)) faults.push(`${origin}: ${id} is not its id`);
    else if ((texts.get(id) ?? text) !== text) faults.push(`${origin}: another document has the id ${id}`);
    else faults.push(...faultsOf(text, executor).map((fault) => `${origin}: ${fault}`));
    texts.set(id, text);
    texts.set(`sha256:${sha256(text)}`, text);
    // Clients hash the text without the newline that ends a file.
    texts.set(`sha256:${sha256(text.trimEnd())}`, text.trimEnd());
  }
  if (entries.length === 0 && faults.length === 0) faults.push(`${path} contains no document`);
  if (faults.length > 0) throw configFault('TRUSTED_DOCUMENTS', faults.slice(0, 10).join('; '));
  const known = new Set(texts.values());
  return { textOf: (id) => texts.get(id), has: (text) => known.has(text) };
}

function readEntries(path: string, faults: string[]): Entry[] {
  try {
    return statSync(path).isDirectory() ? filesIn(path) : manifestEntries(readFileSync(path, 'utf8'), path, faults);
  } catch (error) {
    faults.push((error as Error).message);
    return [];
  }
}

function filesIn(folder: string): Entry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && EXTENSION.test(entry.name))
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { id: name.replace(EXTENSION, ''), text: readFileSync(file, 'utf8'), origin: relative(folder, file) };
    })
    .toSorted((a, b) => (a.origin < b.origin ? -1 : 1));
}

/** The form that Apollo's tools write. */
const APOLLO = 'apollo-persisted-query-manifest';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function manifestEntries(raw: string, path: string, faults: string[]): Entry[] {
  const manifest = parseJson(raw);
  if (!isObject(manifest)) {
    faults.push(`${path} is not a JSON object of texts by id`);
    return [];
  }
  const pairs: [unknown, unknown][] =
    manifest.format === APOLLO && Array.isArray(manifest.operations)
      ? manifest.operations.map((operation) => (isObject(operation) ? [operation.id, operation.body] : [null, null]))
      : Object.entries(manifest);
  return pairs.flatMap(([id, text]) => {
    if (typeof id === 'string' && typeof text === 'string') return [{ id, text, origin: id }];
    faults.push(`${path}: ${String(id)} is not the id of a text`);
    return [];
  });
}

/** What is wrong with a document: each of its operations must be one that the server would run. */
function faultsOf(text: string, executor: Pick<Executor, 'prepare'>): string[] {
  try {
    const operations = parseWithin(text).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length === 0) return ['contains no operation'];
    for (const operation of operations) {
      const name = operations.length > 1 && 'name' in operation ? (operation.name?.value ?? null) : null;
      const prepared = executor.prepare(text, name);
      if ('errors' in prepared) return prepared.errors.map(placed);
    }
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return [placed(error)];
    throw error;
  }
}

function placed({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  return place ? `line ${place.line}, column ${place.column}: ${message}` : message;
}

/** How many texts one owner may register, and their length together. */
const TEXTS_OF_OWNER = 200;
const CHARACTERS_OF_OWNER = 200_000;
/** How many owners keep their texts; the least recently used are evicted. */
const OWNERS = 1_000;

/** Texts that clients registered by their hash (automatic persisted queries). They are lost when the process ends. */
export interface RegisteredQueries {
  find(owner: string, hash: string): string | undefined;
  add(owner: string, hash: string, text: string): void;
}

/**
 * Creates a store in memory. Each owner has a part of its own, so that no caller evicts the texts of another merchant.
 */
export function createRegisteredQueries(): RegisteredQueries {
  const owners = boundedCache<string, LRUCache<string, string>>({ max: OWNERS });
  return {
    find: (owner, hash) => owners.get(owner)?.get(hash),
    add(owner, hash, text) {
      const texts =
        owners.get(owner) ??
        new LRUCache<string, string>({
          max: TEXTS_OF_OWNER,
          maxSize: CHARACTERS_OF_OWNER,
          sizeCalculation: ({ length }) => Math.max(1, length),
        });
      texts.set(hash, text);
      owners.set(owner, texts);
    },
  };
}

/**
 * Whose texts a caller registers and runs: its merchant's. Wallets without a merchant share one part, because anyone
 * can make a wallet. Null for callers that cannot register: anonymous ones, pages, and keys that run trusted documents
 * only.
 */
export function queryOwner(caller: Caller): string | null {
  if (caller.kind === 'developer') return caller.trustedOnly ? null : caller.merchant;
  return caller.kind === 'session' ? (caller.merchant ?? 'wallets') : null;
}
