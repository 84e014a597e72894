import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { routes } from '../../src/doors/rest/routes.ts';
import { makeTypes } from '../../tools/codegen/types.ts';
import { root } from '../gates/sources.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sellTwo } from './walk.ts';

const run = promisify(execFile);
const text = readFileSync(join(root, 'openapi.json'), 'utf8');
const document = JSON.parse(text);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

/** A folder of the test's own under the project, so that packages are found from it. */
function scratch(): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the linter finds wrong with a document, by its recommended rules. */
async function lint(made: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(made));
  const args = [
    join(root, 'node_modules/@redocly/cli/bin/cli.js'),
    'lint',
    file,
    '--extends=recommended',
    '--format=json',
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const { stdout } = await run(process.execPath, args, { cwd: folder, env, maxBuffer: 1 << 26 }).catch((error) => {
    // Findings end it with 1.
    if (typeof error.stdout === 'string' && error.stdout.includes('"problems"')) return error as { stdout: string };
    throw error;
  });
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    problems: { ruleId: string; message: string }[];
  };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('the linter', () => {
  test('finds nothing in the document, by the recommended rules', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('catches a planted fault', async () => {
    const planted = structuredClone(document);
    planted.paths['/api/orders'].post.security = [{ Unknown: [] }];
    delete planted.paths['/api/receipts'].get.summary;
    expect((await lint(planted)).map((fault) => fault.split(':', 1)[0])).toEqual([
      'operation-summary',
      'security-defined',
    ]);
  });
});

describe('the document', () => {
  test('is served to anyone, never to be kept, with the address of the server', async () => {
    const { status, headers, body } = await server.call('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ ...document, servers: [{ url: server.deps.settings.baseUrl }] });
  });

  // Contract: routes.table, routes.prefix
  test('tells of every row of the route table', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(
      expect.arrayContaining(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)),
    );
  });

  test('has an example that the server takes wherever it has one for the catalog and for receipts', async () => {
    const merchant = await server.merchant();
    for (const path of ['/api/inventory', '/api/orders', '/api/receipts']) {
      const { example } = document.paths[path].post.requestBody.content['application/json'];
      const { status, body } = await server.call('POST', path, { headers: merchant.auth, body: example });
      expect([path, status, body.error]).toEqual([path, path === '/api/receipts' ? 201 : 200, undefined]);
    }
  });
});

describe('the types that are made from it', () => {
  beforeAll(() => makeTypes());

  test('are those of the current document', async () => {
    const made = astToString(await openapiTypescript(text, { rootTypes: true }));
    const kept = readFileSync(join(root, 'src/client/generated/api.d.ts'), 'utf8');
    expect(kept.slice(kept.indexOf('export interface paths')).trim()).toBe(made.trim());
  });

  test('carry a shop from its catalog to an order and its status, on a real server', async () => {
    const { key } = await server.merchant();
    const sale = await sellTwo(server.url, key);
    expect(sale).toEqual({ receiptId: expect.stringMatching(/^R-/), totalUsd: 15.08, status: 'generated' });
  });

  test('do not compile with what the API does not have, take or promise', async () => {
    const walk = readFileSync(join(import.meta.dirname, 'walk.ts'), 'utf8');
    const mistakes: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
      'a-field-no-answer-has': ['found.body.items', 'found.body.products'],
      'a-parameter-that-is-none': ["q: 'green'", "search: 'green'"],
      'a-body-without-what-it-needs': ['qty: 2', 'quantity: 2'],
      'a-path-that-is-none': ["'/api/receipts/status'", "'/api/receipts/state'"],
      'a-success-taken-for-granted': ['if (asked.status !== 200) throw new Error(asked.body.message);', ''],
    };
    const planted = Object.entries(mistakes).map(([name, [right, wrong]]) => {
      expect(walk).toContain(right);
      return [name, walk.replace(right, wrong)] as const;
    });
    expect(await filesThatFail({ right: walk, ...Object.fromEntries(planted) })).toEqual(Object.keys(mistakes).sort());
  });
});

/** Compiles each text as a file beside our client; the names of those that the compiler refuses. */
async function filesThatFail(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = scratch();
  const client = readFileSync(join(import.meta.dirname, 'client.ts'), 'utf8');
  writeFileSync(join(folder, 'client.ts'), client.replace('../../src/client/generated/', './'));
  writeFileSync(join(folder, 'api.d.ts'), readFileSync(join(root, 'src/client/generated/api.d.ts')));
  for (const [name, content] of Object.entries(texts)) writeFileSync(join(folder, `${name}.ts`), content);
  const tsconfig = { extends: join(root, 'tsconfig.json'), include: ['*.ts'], compilerOptions: { types: ['node'] } };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', folder, '--pretty', 'false'];
  const { stdout } = await run(process.execPath, args).catch((error) => error as { stdout: string });
  const names = [...stdout.matchAll(/([\w-]+)\.ts\(\d+,\d+\): error/g)].map(([, name]) => name as string);
  return [...new Set(names)].sort();
}
