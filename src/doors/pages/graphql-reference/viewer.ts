import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { introspectionFromSchema } from 'graphql';
import { schema } from '../../http/server/schema.ts';
import { GRAPHQL_PATH } from '../reference/references.ts';
import type { StaticFile } from '../shared/send-file.ts';

/** The schema as the viewer reads it: the answer to an introspection query. */
export const SCHEMA_PATH = `${GRAPHQL_PATH}/schema.json`;
/** The prefix of the paths of the viewer's files. */
export const VIEWER_PREFIX = '/_next/static/graphql-viewer.';

/** The files of GraphiQL, whose documentation explorer shows the schema. */
export interface Viewer {
  readonly script: string;
  readonly style: string;
  readonly files: ReadonlyMap<string, StaticFile>;
}

let loading: Promise<Viewer> | undefined;

/** Makes the viewer's files on first use, because they are nine megabytes that most servers never serve. */
export function loadViewer(): Promise<Viewer> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Viewer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  // The package has its script and its styles only within a page. Reading the schema is its only request.
  const page = renderGraphiQL({ endpoint: SCHEMA_PATH, method: 'GET', useGETForQueries: true });
  const [script, style] = await Promise.all([
    fileOf('js', 'text/javascript; charset=utf-8', between(page, '<script>', '</script>')),
    fileOf('css', 'text/css; charset=utf-8', between(page, '<style>', '</style>')),
  ]);
  return { script: script[0], style: style[0], files: new Map([script, style]) };
}

function between(page: string, begin: string, end: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page of GraphiQL has no ${begin}`);
  return page.slice(from + begin.length, to);
}

async function fileOf(extension: string, type: string, text: string): Promise<readonly [string, StaticFile]> {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8).toUpperCase();
  return [`${VIEWER_PREFIX}${hash}.${extension}`, { body, packed: await promisify(gzip)(body), type }];
}

let introspection: string | undefined;

/** The schema as the answer to any introspection query. It contains nothing of any merchant. */
export function introspectionAnswer(): string {
  introspection ??= JSON.stringify({ data: introspectionFromSchema(schema) });
  return introspection;
}
