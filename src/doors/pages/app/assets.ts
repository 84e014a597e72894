import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import {
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  LANGUAGES,
  SOURCE_LANGUAGE,
} from '../../../base/core/messages/languages.ts';
import { consoleTree, isChecked, messagesDigest, requireWholeMessages } from '../../../base/core/messages/words.ts';
import { projectDir } from '../../../base/platform/files/project-dir.ts';
import { PAGES } from '../console/app/registry.ts';
import type { ConsoleAssets } from '../console/page.ts';
import type { SentConsole } from '../console/shared/words.ts';
import type { StaticFile } from '../shared/send-file.ts';
import type { PageAssets } from '../shared/shell.ts';
import { type Bundle, buildOnce } from './bundle-cache.ts';

/** The sources of each page, relative to the folder of all pages. */
type PageEntries = Record<string, { script: string; style: string }>;

const portal = { portal: { script: 'portal/client/main.ts', style: 'portal/styles.css' } } satisfies PageEntries;

const pages = {
  receipt: { script: 'receipt/client.ts', style: 'receipt/styles.css' },
  subscribe: { script: 'subscribe/client/main.ts', style: 'subscribe/styles.css' },
  collect: { script: 'collect/client.ts', style: 'collect/styles.css' },
  live: { script: 'live/client/main.ts', style: 'live/styles.css' },
  sandbox: { script: 'sandbox/client.ts', style: 'sandbox/styles.css' },
  reference: { script: 'reference/client.ts', style: 'reference/styles.css' },
  graphqlReference: { script: 'graphql-reference/client.ts', style: 'graphql-reference/styles.css' },
} satisfies PageEntries;

/** The script that shops load, and the one of the frame that it opens. */
const EMBED = { script: 'embed/element.ts', frame: 'embed/frame.ts' } as const;

const folder = join(projectDir, 'src/doors/pages');
const publicPath = '/_next/static';
const CONSOLE_SCRIPT = 'console/app/main.tsx';
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const options = {
  absWorkingDir: folder,
  outdir: publicPath,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'safari16'],
  // The files are served as UTF-8.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The address of an output of esbuild. */
const addressOf = (path: string): string => `${publicPath}/${path.slice(path.lastIndexOf('/') + 1)}`;

/** The address of the output of a source. */
function outputOf({ metafile }: Bundle, source: string): string {
  const output = Object.entries(metafile.outputs).find(([, made]) => made.entryPoint === source);
  if (!output) throw new Error(`No output was made of ${source}.`);
  return output[0];
}

const filesOf = ({ outputFiles }: Bundle): [string, StaticFile][] =>
  outputFiles.map(({ path, contents }) => [addressOf(path), fileOf(path, Buffer.from(contents))]);

function fileOf(path: string, body: Buffer): StaticFile {
  const type = contentTypes[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream';
  return { body, packed: gzipSync(body), type };
}

/**
 * Bundles and minifies the scripts and stylesheets of pages, once for each version of their sources. `files` maps each
 * address below `/_next/static/` to its bytes; the names contain a hash of the content, so that responses can be cached
 * forever. With `splitting`, what a script imports on demand is a file of its own.
 */
function bundlePages<Name extends string>(
  entries: Record<Name, { script: string; style: string }>,
  { splitting = false } = {},
): { pages: Record<Name, PageAssets>; files: [string, StaticFile][] } {
  const names = Object.keys(entries) as Name[];
  const bundle = {
    ...options,
    entryPoints: names.flatMap((name) => [
      { in: entries[name].script, out: name },
      { in: entries[name].style, out: name },
    ]),
    entryNames: '[name].[hash]',
    chunkNames: `${names[0]}-[hash]`,
    splitting,
    // Other messages are another build.
    define: { MESSAGES: JSON.stringify(messagesDigest()) },
  };
  const made = buildOnce(bundle, { require: requireWholeMessages });
  const pages = names.map((name) => [
    name,
    { script: addressOf(outputOf(made, entries[name].script)), style: addressOf(outputOf(made, entries[name].style)) },
  ]);
  return { pages: Object.fromEntries(pages), files: filesOf(made) };
}

/**
 * Bundles the console: one script for its frame, and one for each page, which is loaded with the page. Its stylesheet
 * contains the `styles.css` of each of its folders.
 */
function bundleConsole(): { assets: ConsoleAssets; files: [string, StaticFile][] } {
  const bundle = {
    ...options,
    entryPoints: [{ in: CONSOLE_SCRIPT, out: 'console' }],
    stdin: { contents: consoleStyles(), loader: 'css', resolveDir: join(folder, 'console'), sourcefile: 'console.css' },
    entryNames: 'console.[hash]',
    chunkNames: 'console-[hash]',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Other messages are another build.
    define: { 'process.env.NODE_ENV': '"production"', MESSAGES: JSON.stringify(messagesDigest()) },
  } as const satisfies BuildOptions;
  const made = buildOnce(bundle, { require: requireWholeMessages });
  const texts = consoleTexts();
  const { outputs } = made.metafile;
  const script = outputOf(made, CONSOLE_SCRIPT);
  const style = Object.keys(outputs).find((path) => path.endsWith('.css')) as string;
  const first = staticImports(made, script);
  const chunks = PAGES.map(({ name }): [string, string[]] => {
    const own = outputOf(made, `console/${name}/page.tsx`);
    return [name, [own, ...staticImports(made, own)].filter((path) => !first.has(path)).map(addressOf)];
  });
  const assets = {
    script: addressOf(script),
    style: addressOf(style),
    words: Object.fromEntries(texts.map(([language, path]) => [language, path])) as ConsoleAssets['words'],
    chunks: Object.fromEntries(chunks.map(([name, own]) => [name, [...[...first].map(addressOf), ...own]])),
  };
  return { assets, files: [...filesOf(made), ...texts.map(([, path, file]): [string, StaticFile] => [path, file])] };
}

/** The script with the console's texts of each language. It runs before the console's own. */
function consoleTexts(): (readonly [ConsoleLanguage, string, StaticFile])[] {
  return CONSOLE_LANGUAGES.map((language) => {
    const tree = consoleTree(language);
    const sent: SentConsole = {
      language,
      checked: isChecked(language, true),
      unchecked: LANGUAGES.filter((each) => !isChecked(each, false)),
      // The API says in English what is wrong: other languages alone need words for it.
      tree: language === SOURCE_LANGUAGE ? { ...tree, problems: {} } : tree,
    };
    const body = Buffer.from(`consoleWords=${JSON.stringify(sent)}`);
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 8);
    const path = `${publicPath}/console-${language}.${hash}.js`;
    return [language, path, fileOf(path, body)];
  });
}

function bundleEmbed(): { assets: Built['embed']; files: [string, StaticFile][] } {
  const [script] = filesOf(buildOnce({ ...options, entryPoints: [EMBED.script], format: 'iife', entryNames: 'embed' }));
  const made = buildOnce({ ...options, entryPoints: [EMBED.frame], entryNames: 'frame.[hash]' });
  return { assets: { script: script![1], frame: addressOf(outputOf(made, EMBED.frame)) }, files: filesOf(made) };
}

/** One stylesheet that imports that of the console and those of its folders. */
function consoleStyles(): string {
  const folders = readdirSync(join(folder, 'console'), { recursive: true, encoding: 'utf8' });
  const styles = folders.filter((path) => path.endsWith('/styles.css')).sort();
  return ['styles.css', ...styles].map((path) => `@import "./${path}";`).join('\n');
}

/** The outputs that an output imports before it runs, directly or through others. */
function staticImports({ metafile }: Bundle, path: string, found = new Set<string>()): Set<string> {
  for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(next)) continue;
    found.add(next);
    staticImports({ metafile } as Bundle, next, found);
  }
  return found;
}

/** The files of all pages, by their addresses, and what each page needs of them. */
export interface Built {
  readonly pages: Record<keyof typeof pages | keyof typeof portal, PageAssets>;
  readonly console: ConsoleAssets;
  readonly embed: { readonly script: StaticFile; readonly frame: string };
  readonly files: ReadonlyMap<string, StaticFile>;
}

let built: Built | undefined;

/** The files of all pages, built once in a process. */
export function buildPages(): Built {
  if (built) return built;
  // The payment page loads what only wallets need when there is one.
  const [small, split, large] = [bundlePages(pages), bundlePages(portal, { splitting: true }), bundleConsole()];
  const embed = bundleEmbed();
  built = {
    embed: embed.assets,
    pages: { ...small.pages, ...split.pages },
    console: large.assets,
    files: new Map([...small.files, ...split.files, ...large.files, ...embed.files]),
  };
  return built;
}
