import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { projectDir } from '../../../base/platform/files/project-dir.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { isHeld } from '../../http/server/revalidate.ts';
import { buildOnce } from './bundle-cache.ts';

/* The packages that shops install from this server: `npm install {base_url}/connect/quittance-medusa.tgz`. */

type Files = Readonly<Record<string, Uint8Array | string>>;

/** The tarball of a package, as `npm pack` makes it. The same files give the same bytes. */
function packed(files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const body = Buffer.from(content);
    return [headerOf(`package/${path}`, body.length), body, Buffer.alloc(-body.length & 511)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]), { level: 9 });
}

/** The header of a file in a tar archive (ustar). Its checksum counts the field of the checksum as spaces. */
function headerOf(path: string, bytes: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  header.write(path, 0, 100);
  octal(0o644, 100, 8);
  for (const at of [108, 116]) octal(0, at, 8);
  octal(bytes, 124, 12);
  octal(0, 136, 12);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

const textOf = (path: string): string => readFileSync(join(projectDir, path), 'utf8');
const filesOf = (folder: string): string[] =>
  readdirSync(join(projectDir, folder), { recursive: true, encoding: 'utf8' }).sort();

/** What a build of esbuild has made, by the paths in the package. */
function built(folder: string, options: Omit<Parameters<typeof buildOnce>[0], 'absWorkingDir'>): Files {
  const { outputFiles } = buildOnce({
    ...{ absWorkingDir: join(projectDir, folder), outdir: '/', outbase: '.', bundle: true, logLevel: 'silent' },
    ...{ target: 'es2022', charset: 'utf8' },
    ...options,
  });
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [path.slice(1), contents]));
}

/** The entries of the client's package, with their sources in `src/client`. */
const ENTRIES = { client: 'index', connect: 'connect/index', react: 'react' };

/** Where a build puts the declarations of the client, because the compiler is no part of a server. */
const TYPES = 'dist/client/types';

/** The file that says of which sources the declarations are. */
export const TYPES_OF = `${TYPES}/sources.sha256`;

/** The digest of the sources of the client. Files that are made, and tests, are not among them. */
export function clientDigest(): string {
  const hash = createHash('sha256');
  for (const path of filesOf('src/client').filter((name) => /(?<!\.test|\.d)\.ts$/.test(name)))
    hash.update(`${path}\0${textOf(`src/client/${path}`)}\0`);
  return hash.digest('hex');
}

/** The package `quittance`. A checkout that was not built, or changed since, has no declarations. */
export function clientPackage(): Files {
  const { version, license } = JSON.parse(textOf('package.json'));
  const isBuilt = existsSync(join(projectDir, TYPES_OF)) && textOf(TYPES_OF) === clientDigest();
  const types = isBuilt ? filesOf(TYPES).filter((path) => path.endsWith('.d.ts')) : [];
  const exports = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, source]) => [
      `./${name}`,
      { ...(isBuilt && { types: `./types/${source}.d.ts` }), default: `./${name}.js` },
    ]),
  );
  const description = 'Client of a Quittance server, for Node.js, browsers and edge runtimes.';
  // The global WebSocket of streams.
  const engines = { node: '>=22' };
  const manifest = { name: 'quittance', version, license, description, type: 'module', sideEffects: false };
  return {
    'package.json': `${JSON.stringify({ ...manifest, engines, exports }, null, 2)}\n`,
    LICENSE: textOf('LICENSE'),
    ...built('src/client', {
      entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, source]) => [name, `${source}.ts`])),
      ...{ format: 'esm', splitting: true, platform: 'neutral', mainFields: ['module', 'main'] },
    }),
    ...Object.fromEntries(types.map((path) => [`types/${path}`, textOf(`${TYPES}/${path}`)])),
  };
}

/** A plugin of Medusa in the form that `medusa plugin:build` makes, with the core of connectors in it. */
function medusaPackage(): Files {
  const folder = 'connectors/medusa';
  const server = '.medusa/server/src';
  // The programs of a plugin are CommonJS.
  const { private: _private, type: _type, ...manifest } = JSON.parse(textOf(`${folder}/package.json`));
  const { version } = JSON.parse(textOf('package.json'));
  const programs = built(`${folder}/src`, {
    entryPoints: ['providers/quittance/index.ts', 'jobs/reconcile.ts', 'subscribers/canceled-orders.ts'],
    ...{ format: 'cjs', platform: 'node', external: ['@medusajs/*'] },
  });
  const connect = built(`${folder}/src`, {
    entryPoints: ['connect.ts'],
    ...{ format: 'esm', platform: 'node', banner: { js: '#!/usr/bin/env node' }, outExtension: { '.js': '.mjs' } },
  });
  const admin = built(`${folder}/src`, {
    entryPoints: ['admin/index.tsx'],
    ...{ format: 'esm', platform: 'browser', external: ['react', 'react/*', '@medusajs/*'] },
    // The settings of the project, which are for Preact, would win over options of the build.
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'react' } },
    outExtension: { '.js': '.mjs' },
  });
  const placed = Object.entries({ ...programs, ...admin }).map(([path, body]) => [`${server}/${path}`, body]);
  const exports = {
    './package.json': './package.json',
    './providers/quittance': `./${server}/providers/quittance/index.js`,
    './admin': `./${server}/admin/index.mjs`,
    './.medusa/server/src/*': `./${server}/*`,
  };
  return {
    'package.json': JSON.stringify({ ...manifest, version, exports, bin: { 'quittance-medusa': 'connect.mjs' } }),
    LICENSE: textOf('LICENSE'),
    ...connect,
    'README.md': textOf(`${folder}/README.md`),
    ...Object.fromEntries(placed),
  };
}

const PACKAGES = { 'quittance-client.tgz': clientPackage, 'quittance-medusa.tgz': medusaPackage };

const withTag = (body: Buffer) => ({ body, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"` });

/** Serves the packages at `/connect/`, public. Each is built when it is first asked for. */
export function mountPackages(server: FastifyInstance, guard: Pick<HttpGuard, 'limit'>): void {
  const kept = new Map<string, { readonly body: Buffer; readonly etag: string }>();
  for (const [name, make] of Object.entries(PACKAGES))
    server.get(`/connect/${name}`, async (request, reply) => {
      await guard.limit(request, reply, 'reads');
      const file = kept.get(name) ?? withTag(packed(make()));
      kept.set(name, file);
      reply.headers({ etag: file.etag, 'cache-control': 'no-cache' });
      if (isHeld(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
      return reply.type('application/gzip').send(file.body);
    });
}
