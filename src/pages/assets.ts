import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { PageAssets } from './shell.ts';

/** The sources of each page, relative to this folder. */
type PageEntries = Record<string, { script: string; style: string }>;

const pages = {
  portal: { script: 'portal/client/main.ts', style: 'portal/styles.css' },
  receipt: { script: 'receipt/client.ts', style: 'receipt/styles.css' },
  subscribe: { script: 'subscribe/client/main.ts', style: 'subscribe/styles.css' },
  live: { script: 'live/client/main.ts', style: 'live/styles.css' },
  liveReceipts: { script: 'live-receipts/client/main.ts', style: 'live-receipts/styles.css' },
  sandbox: { script: 'sandbox/client.ts', style: 'sandbox/styles.css' },
  reference: { script: 'reference/client.ts', style: 'reference/styles.css' },
} satisfies PageEntries;

/** A file that clients may cache forever: plain and compressed. */
export interface StaticFile {
  body: Buffer;
  packed: Buffer;
  type: string;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const publicPath = '/_next/static';
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Bundles and minifies the scripts and stylesheets of pages, in memory. `files` maps each address below
 * `/_next/static/` to its bytes; the names contain a hash of the content, so that responses can be cached forever.
 */
async function bundlePages<Name extends string>(
  entries: Record<Name, { script: string; style: string }>,
): Promise<{ pages: Record<Name, PageAssets>; files: Map<string, StaticFile> }> {
  const names = Object.keys(entries) as Name[];
  // Synchronous: the service process that `build` starts would keep running as long as the server.
  const result = buildSync({
    absWorkingDir: folder,
    entryPoints: names.flatMap((name) => [
      { in: entries[name].script, out: name },
      { in: entries[name].style, out: name },
    ]),
    entryNames: '[name].[hash]',
    outdir: publicPath,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'safari16'],
    // The files are served as UTF-8.
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const files = new Map<string, StaticFile>();
  for (const file of result.outputFiles) {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const type = contentTypes[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream';
    const body = Buffer.from(file.contents);
    files.set(`${publicPath}/${name}`, { body, packed: gzipSync(body), type });
  }
  const addressOf = (source: string): string => {
    const output = Object.entries(result.metafile.outputs).find(([, made]) => made.entryPoint === source);
    if (!output) throw new Error(`No output was made of ${source}.`);
    return `${publicPath}/${output[0].slice(output[0].lastIndexOf('/') + 1)}`;
  };
  const built = names.map((name) => [
    name,
    { script: addressOf(entries[name].script), style: addressOf(entries[name].style) },
  ]);
  return { pages: Object.fromEntries(built), files };
}

type PageName = keyof typeof pages;

export type Built = Awaited<ReturnType<typeof bundlePages<PageName>>>;

let built: Promise<Built> | undefined;

/** The files of all pages, built once in a process. */
export function buildPages(): Promise<Built> {
  built ??= bundlePages(pages);
  return built;
}
