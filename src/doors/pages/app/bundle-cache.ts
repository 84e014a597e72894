import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, buildSync, type Metafile, version } from 'esbuild';
import { projectDir } from '../../../base/platform/files/project-dir.ts';

/** What pages need of a build. */
export interface Bundle {
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[];
  readonly metafile: Pick<Metafile, 'outputs'>;
}

/** A build on disk. */
interface StoredBundle {
  /** The digest of each source, by its path. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Metafile['outputs'];
  readonly files: readonly { readonly path: string; readonly base64: string }[];
}

const FOLDER = join(projectDir, 'node_modules/.cache/quittance');

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Builds with esbuild, or returns the stored result of the same build: the same version of esbuild, the same options,
 * and sources with the same content. A folder that cannot be written costs a build at each start. `require` throws for
 * what must not be built.
 */
export function buildOnce(
  options: BuildOptions & { readonly absWorkingDir: string },
  { folder = FOLDER, require = () => {} }: { folder?: string; require?: () => void } = {},
): Bundle {
  const file = join(folder, `pages-${sha256(JSON.stringify([version, options]))}.json`);
  const stored = readStored(file);
  if (stored && isCurrent(stored, options.absWorkingDir))
    return {
      outputFiles: stored.files.map(({ path, base64 }) => ({ path, contents: Buffer.from(base64, 'base64') })),
      metafile: { outputs: stored.outputs },
    };
  require();
  // Synchronous: the service process that `build` starts would keep running as long as the server.
  const { outputFiles, metafile } = buildSync({ ...options, write: false, metafile: true });
  store(folder, file, {
    inputs: Object.fromEntries(
      Object.keys(metafile.inputs)
        .map((path) => [path, resolve(options.absWorkingDir, path)] as const)
        // A source that is given as text has no file: it is part of the options.
        .filter(([, file]) => existsSync(file))
        .map(([path, file]) => [path, sha256(readFileSync(file))]),
    ),
    outputs: metafile.outputs,
    files: outputFiles.map(({ path, contents }) => ({ path, base64: Buffer.from(contents).toString('base64') })),
  });
  return { outputFiles, metafile };
}

function readStored(file: string): StoredBundle | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoredBundle;
  } catch {
    return null;
  }
}

function isCurrent({ inputs }: StoredBundle, folder: string): boolean {
  try {
    return Object.entries(inputs).every(([path, digest]) => sha256(readFileSync(resolve(folder, path))) === digest);
  } catch {
    return false;
  }
}

function store(folder: string, file: string, bundle: StoredBundle): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, JSON.stringify(bundle));
    renameSync(draft, file);
  } catch {
    // The next start builds again.
  }
}
