import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../../src/base/platform/config/config.ts';
import { variables } from '../../../src/base/platform/config/variables.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { root } from '../../gates/sources.ts';
import { startTestServer } from '../../support/server.ts';

const folder = join(root, 'docs/run/deploy/helm/quittance');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const TEMPLATES = readdirSync(join(folder, 'templates')).map((name) => ({ name, text: read(`templates/${name}`) }));
const VALUES = parse(read('values.yaml'));

/** The shared parts of the templates by name. */
const PARTS = new Map(
  TEMPLATES.flatMap(({ text }) =>
    [...text.matchAll(/\{\{- define "([\w.]+)" -\}\}\n([\s\S]*?)\n\{\{- end \}\}(?=\n\n|\n$)/g)].map(
      ([, name, body]) => [name as string, body as string] as const,
    ),
  ),
);

/**
 * A template without Helm: shared parts are in their places, every condition holds, every list has one entry, and `x`
 * stands for each value. Blocks of values (`toYaml`) are left out.
 */
function outline(text: string): string {
  const whole = text.replace(
    /\{\{-? include "([\w.]+)" [.$] (?:\| nindent (\d+) )?\}\}/g,
    (_, name: string, indent) => {
      const part = outline(PARTS.get(name) ?? expect.fail(`no part ${name}`));
      return indent ? `\n${part.replace(/^(?=.)/gm, ' '.repeat(Number(indent)))}` : part;
    },
  );
  return whole
    .replace(/^\s*\{\{-? (?:if|with|range|end)\b.*\}\}\n?/gm, '')
    .replace(/\{\{- toYaml .*?\}\}/g, '')
    .replace(/\{\{ .*? \}\}/g, 'x');
}

interface Container {
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly Readonly<Record<'configMapRef' | 'secretRef', { readonly name: string } | undefined>>[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly startupProbe?: { readonly exec: { readonly command: readonly string[] } };
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: object; readonly annotations?: Record<string, string> };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a specification of its own
  readonly spec?: any;
}

const MANIFESTS: readonly Manifest[] = TEMPLATES.filter(({ name }) => name.endsWith('.yaml')).flatMap(({ text }) =>
  parseAllDocuments(outline(text)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
);
const one = (kind: string, name: string): Manifest =>
  MANIFESTS.find((each) => each.kind === kind && each.metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
const containerOf = ({ spec }: Manifest): Container => spec.template.spec.containers[0];

const SERVER = one('StatefulSet', 'x-server');
const WORKER = one('Deployment', 'x-worker');
const MIGRATE = one('Job', 'x-migrate');
const WORKLOADS = [SERVER, WORKER, MIGRATE];
const ENVIRONMENT = one('ConfigMap', 'x-variables').data as Readonly<Record<string, string>>;

test('the templates of the chart are the objects of an installation, each with a version, a kind and a name', () => {
  expect(MANIFESTS.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`).sort()).toEqual([
    'apps/v1 Deployment x-worker',
    'apps/v1 StatefulSet x-server',
    'batch/v1 Job x-migrate',
    'networking.k8s.io/v1 Ingress x',
    'networking.k8s.io/v1 NetworkPolicy x',
    'policy/v1 PodDisruptionBudget x-server',
    'policy/v1 PodDisruptionBudget x-worker',
    'v1 ConfigMap x-variables',
    'v1 Service x',
    'v1 Service x-servers',
  ]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(parse(read('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'quittance', appVersion: version });
});

test('every action of a template is closed, and every shared part is used', () => {
  for (const { name, text } of TEMPLATES) {
    const actions = [...text.matchAll(/\{\{-? (\w+)/g)].map(([, word]) => word as string);
    const opened = actions.filter((word) => ['if', 'with', 'range', 'define'].includes(word));
    expect(actions.filter((word) => word === 'end').length, name).toBe(opened.length);
    expect(text.split('{{').length, name).toBe(text.split('}}').length);
  }
  const all = TEMPLATES.map(({ text }) => text).join('\n');
  for (const name of PARTS.keys()) expect(all).toContain(`include "${name}"`);
  expect(all.split('define "').length - 1).toBe(PARTS.size);
});

test('templates name values that values.yaml has, and every value is used', () => {
  const used = new Set(
    TEMPLATES.flatMap(({ text }) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path as string)),
  );
  for (const path of used) {
    const value = path.split('.').reduce((within, key) => within?.[key], VALUES);
    expect(value, path).toBeDefined();
  }
  const unused = (within: object, above: string): string[] =>
    Object.entries(within).flatMap(([key, value]) => {
      const path = `${above}${key}`;
      if (used.has(path)) return [];
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isMap ? unused(value, `${path}.`) : [path];
    });
  expect(unused(VALUES, '')).toEqual([]);
});

test('the variables of the chart are ones that the server reads, and no value is a secret', () => {
  const secrets = [...read('README.md').matchAll(/--from-literal=(\w+)=(\S+)/g)].map(([, name]) => name as string);
  const { x: _, ...fixed } = ENVIRONMENT;
  const names = [...Object.keys(fixed), ...Object.keys(VALUES.config), ...secrets];
  expect(names.filter((name) => !(name in variables))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const filled = Object.fromEntries(secrets.map((name) => [name, `${name} of the operator, 32 bytes or longer`]));
  const config = readConfig({
    ...fixed,
    ...VALUES.config,
    ...filled,
    BASE_URL: `https://${VALUES.host}`,
    DATABASE_URL: 'postgresql://quittance@db/quittance',
    REDIS_URL: 'redis://redis:6379',
    RPC_URL: 'https://rpc.example.com/KEY',
    DATA_DIR: tmpdir(),
  });
  expect(config).toMatchObject({
    environment: 'production',
    host: '0.0.0.0',
    migrates: false,
    acceptsNewerSchema: true,
  });
  for (const { spec } of WORKLOADS)
    expect(spec.template.spec.containers[0].envFrom).toContainEqual({ secretRef: { name: 'x' } });
});

test('servers, workers and migrations run commands of Quittance, without rights that they do not need', () => {
  expect(WORKLOADS.map((each) => containerOf(each).args)).toEqual([['serve', '--no-worker'], ['worker'], ['migrate']]);
  expect(MIGRATE.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  // A hook runs before the ConfigMap is installed or changed.
  expect(containerOf(MIGRATE).envFrom.some(({ configMapRef }) => configMapRef)).toBe(false);
  for (const each of [SERVER, WORKER])
    expect(containerOf(each).envFrom).toContainEqual({ configMapRef: { name: 'x-variables' } });
  for (const each of WORKLOADS) {
    const pod = each.spec.template.spec;
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const mounts = containerOf(each).volumeMounts;
    expect(mounts).toContainEqual({ name: 'data', mountPath: ENVIRONMENT.DATA_DIR });
    const claims = (each.spec.volumeClaimTemplates ?? []).map((claim: Manifest) => claim.metadata.name);
    expect([...claims, ...pod.volumes.map((volume: { name: string }) => volume.name)].sort()).toEqual(
      mounts.map(({ name }) => name).sort(),
    );
  }
  const { terminationGracePeriodSeconds, containers } = SERVER.spec.template.spec;
  const [, pause] = containers[0].lifecycle.preStop.exec.command;
  expect(terminationGracePeriodSeconds - Number(pause)).toBeGreaterThan(10);
  expect(WORKER.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
});

test('selectors find the pods, and Services and the Ingress lead to ports on which servers listen', () => {
  for (const { spec } of [SERVER, WORKER])
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  for (const component of ['server', 'worker'])
    expect(one('PodDisruptionBudget', `x-${component}`).spec.selector.matchLabels).toEqual(
      one(component === 'server' ? 'StatefulSet' : 'Deployment', `x-${component}`).spec.selector.matchLabels,
    );
  const ports = [
    { name: 'http', containerPort: Number(ENVIRONMENT.PORT) },
    { name: 'metrics', containerPort: Number(ENVIRONMENT.METRICS_PORT) },
  ];
  expect(containerOf(SERVER).ports).toEqual(ports);
  expect(containerOf(WORKER).ports).toEqual(ports.slice(1));
  for (const name of ['x', SERVER.spec.serviceName]) {
    const service = one('Service', name);
    expect(service.spec.selector).toEqual(SERVER.spec.selector.matchLabels);
    for (const { targetPort } of service.spec.ports) expect(ports.map((port) => port.name)).toContain(targetPort);
  }
  // Metrics need no credential.
  expect(one('Service', 'x').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  const { rules } = one('Ingress', 'x').spec;
  expect(rules.length).toBe(2);
  for (const { http } of rules)
    expect(http.paths).toEqual([
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'x', port: { name: 'http' } } } },
    ]);
});

test('the probes of the chart ask a server that refuses everyone without the secret of the edge', async () => {
  const EDGE_SECRET = 'e'.repeat(64);
  const server = await startTestServer({ env: { EDGE_SECRET, METRICS_PORT: String(await findFreePort()) } });
  onTestFinished(() => server.stop());
  const [program, ...args] = containerOf(SERVER).startupProbe?.exec.command ?? [];
  expect(program).toBe('node');
  const exitCode = (env: Readonly<Record<string, string>>) =>
    new Promise<number>((resolve) => {
      const probe = execFile(process.execPath, args, { env });
      probe.once('exit', (code) => resolve(code ?? -1));
    });
  const { port: PORT } = new URL(server.url);
  expect(await exitCode({ PORT, EDGE_SECRET })).toBe(0);
  expect(await exitCode({ PORT })).toBe(1);
  expect(await exitCode({ PORT: String(await findFreePort()), EDGE_SECRET })).toBe(1);

  // A server that is ready stays so while the database is away: it takes orders.
  expect(containerOf(SERVER).readinessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });

  const bases: Readonly<Record<string, string>> = { http: server.url, metrics: server.metricsUrl as string };
  for (const each of [SERVER, WORKER]) {
    const { path, port } = containerOf(each).livenessProbe?.httpGet ?? expect.fail('no liveness probe');
    expect((await fetch(new URL(path, bases[port]))).status, path).toBe(200);
  }
});

test('servers get the address of the spender and no key of it, and only named namespaces reach requests and metrics', () => {
  const { env } = containerOf(SERVER) as { env?: readonly { name: string; value: string }[] };
  const keys = Object.keys(variables).filter((name) => /^SPENDER_.*KEYS?$/.test(name));
  expect(env).toEqual(keys.map((name) => ({ name, value: '' })));
  expect(containerOf(WORKER)).not.toHaveProperty('env');
  const { spec } = one('NetworkPolicy', 'x');
  const ports = containerOf(SERVER).ports?.map(({ containerPort }) => containerPort);
  // biome-ignore lint/suspicious/noExplicitAny: the specification is of the kind
  expect(spec.ingress.map((rule: any) => rule.ports[0].port)).toEqual(ports);
  for (const from of [VALUES.networkPolicy.requestsFrom, VALUES.networkPolicy.metricsFrom])
    expect(from).toEqual([{ namespaceSelector: { matchLabels: expect.any(Object) } }]);
});
