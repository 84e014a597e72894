import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeEnvironments } from '../../../src/app/cli/setup.ts';
import { readConfig } from '../../../src/base/platform/config/config.ts';
import { variables } from '../../../src/base/platform/config/variables.ts';

const folder = join(import.meta.dirname, '../../../docs/run/deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The lines of a file as `NAME=value`, without comments. */
const assignments = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

const EXAMPLE = assignments(read('quittance.env.example'));
/** What the operator fills in. */
const FILLED = Object.fromEntries(
  Object.entries(EXAMPLE).map(([name, value]) => [
    name,
    value || (name === 'PLATFORM_RECIPIENT' ? `0x${'5a3c91e4'.repeat(5)}` : name.padEnd(64, '0')),
  ]),
);

/** Reads an environment as the server does, with secrets of the right length and a folder that exists. */
const configOf = (environment: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgresql://quittance@db/quittance',
    ...FILLED,
    ...environment,
    DATA_DIR: tmpdir(),
  });

/** What `quittance setup` is answered. */
const ANSWERS = {
  ...{ domain: 'https://pay.example.com', chain: '8453', rpc: 'https://rpc.example.com', wallet: '', feeWallet: '' },
  ...{ settlement: 'none', spender: 'none', email: 'me@example.com', name: 'Shop' },
};

/** The settings of a unit by section. A name may occur several times. */
function unitOf(name: string): Record<string, Record<string, string[]>> {
  const sections: Record<string, Record<string, string[]>> = {};
  let section: Record<string, string[]> = {};
  for (const line of read(name).split('\n')) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (title) section = sections[title] = {};
    else if (key) section[key] = [...(section[key] ?? []), value as string];
    else expect(line).toMatch(/^(#.*)?$/);
  }
  return sections;
}

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: unknown;
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

test('the services of compose.yaml name images, files, volumes and services that exist', () => {
  const { services, volumes }: Compose = parse(read('compose.yaml'), { merge: true });
  expect(Object.keys(services).sort()).toEqual(
    ['alertmanager', 'caddy', 'grafana', 'postgres', 'prometheus', 'redis', 'server', 'worker'].sort(),
  );
  for (const [name, service] of Object.entries(services)) {
    expect(service.image, name).toMatch(name === 'server' || name === 'worker' ? /^quittance$/ : /^[\w/]+:v?\d[\d.]*$/);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':') as [string];
      if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true);
      else expect(volumes).toHaveProperty(source);
    }
    const needed = service.depends_on ?? [];
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) expect(services).toHaveProperty(other);
  }
});

test('Prometheus of compose.yaml hands its alerts to an Alertmanager that sends each to the operator', () => {
  const { services, configs }: Compose = parse(read('compose.yaml'), { merge: true });
  const { alerting, rule_files: rules } = parse(read('prometheus.yml'));
  const [{ static_configs: places }] = alerting.alertmanagers;
  expect(places).toEqual([{ targets: ['alertmanager:9093'] }]);
  expect(services).toHaveProperty('alertmanager');
  expect(services.prometheus?.volumes).toContainEqual(`../alerts.yml:${rules[0]}:ro`);
  const { route, receivers } = parse(configs.alertmanager!.content);
  const [operator] = receivers;
  expect(operator.email_configs).toEqual([{ to: expect.stringContaining('ALERT_EMAIL'), send_resolved: true }]);
  for (const { receiver } of [route, ...route.routes]) expect(receiver).toBe(operator.name);
});

test('every variable of the deployment files is one that the server reads, with a valid value', () => {
  const { services }: Compose = parse(read('compose.yaml'), { merge: true });
  const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
  expect(units).toEqual(['quittance-server.service', 'quittance-worker.service']);
  const environments = [
    ...['server', 'worker'].map((name) => services[name]?.environment ?? {}),
    ...units.map((name) => assignments((unitOf(name).Service?.Environment ?? []).join('\n'))),
  ];
  expect(Object.keys(EXAMPLE).filter((name) => !(name in variables))).toEqual([]);
  for (const environment of environments) {
    expect(Object.keys(environment).filter((name) => !(name in variables))).toEqual([]);
    const values = Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{.*?\}/, 'secret')]);
    expect(configOf(Object.fromEntries(values)).environment).toBe('production');
  }
});

test('the example of the environment holds no secret and no wallet, so a server with it does not start', () => {
  const empty = Object.keys(EXAMPLE).filter((name) => EXAMPLE[name] === '');
  expect(empty).toEqual(['PLATFORM_RECIPIENT', ...Object.keys(EXAMPLE).filter((name) => /_(SECRET|KEY)$/.test(name))]);
  const asCopied = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://db/quittance',
    ...EXAMPLE,
    DATA_DIR: tmpdir(),
  };
  for (const name of ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'])
    expect(() => readConfig(asCopied)).toThrow(`${name}: must be set in production`);
});

test('PostgreSQL and Redis of compose.yaml have passwords, and only servers and workers reach them', () => {
  const { services, networks }: Compose = parse(read('compose.yaml'), { merge: true });
  expect(networks.stores).toEqual({ internal: true });
  const reaching = Object.keys(services).filter((name) => JSON.stringify(services[name]?.networks)?.includes('stores'));
  expect(reaching.sort()).toEqual(['postgres', 'redis', 'server', 'worker']);
  for (const name of ['postgres', 'redis']) expect(services[name]?.networks).toEqual(['stores']);
  expect(services.redis?.command).toContain('--requirepass');
  const { REDIS_URL, DATABASE_URL } = services.server?.environment ?? {};
  expect(REDIS_URL).toMatch(/:\$\{REDIS_PASSWORD:\?\}@/);
  expect(DATABASE_URL).toMatch(/:\$\{POSTGRES_PASSWORD:\?\}@/);
});

test('no server of the deployment files holds the key of the spender, and every worker may', () => {
  const { services }: Compose = parse(read('compose.yaml'), { merge: true });
  const keys = Object.keys(variables).filter((name) => /^SPENDER_.*KEYS?$/.test(name));
  for (const name of keys)
    expect([services.server, services.worker].map((one) => one?.environment?.[name])).toEqual(['', undefined]);
  const [server, worker] = ['quittance-server.service', 'quittance-worker.service'].map(unitOf);
  expect(server?.Service?.UnsetEnvironment).toEqual([keys.join(' ')]);
  expect(worker?.Service).not.toHaveProperty('UnsetEnvironment');
});

test('units and containers have no privilege, and write nothing but their own folder', () => {
  for (const unit of ['quittance-server.service', 'quittance-worker.service']) {
    const { ProtectSystem, NoNewPrivileges, CapabilityBoundingSet, SystemCallFilter } = unitOf(unit).Service ?? {};
    expect([ProtectSystem, NoNewPrivileges, CapabilityBoundingSet]).toEqual([['strict'], ['yes'], ['']]);
    expect(SystemCallFilter).toEqual(['@system-service', '~@privileged @resources']);
  }
  const { services }: Compose = parse(read('compose.yaml'), { merge: true });
  for (const name of ['server', 'worker'])
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
});

test('Caddy of the deployment files gets every variable that its configuration names, and hides the value of a client', () => {
  const text = read('Caddyfile');
  const named = [...text.matchAll(/\{\$(\w+)(:[^}]*)?\}/g)];
  const { services }: Compose = parse(read('compose.yaml'), { merge: true });
  for (const [, name] of named) expect(services.caddy?.environment, name).toHaveProperty(name!);
  const { around } = makeEnvironments({ ...ANSWERS, for: 'systemd' });
  for (const [, name, fallback] of named) if (!fallback) expect(around, name).toHaveProperty(name!);
  expect(text).toContain('header_up x-edge-secret {$EDGE_SECRET}');
  expect(text).not.toContain('trusted_proxies');
});

test('setup for Compose gives every variable that compose.yaml asks for', () => {
  const { around } = makeEnvironments({ ...ANSWERS, for: 'compose' });
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
  expect(asked.filter((name) => !(name in around))).toEqual([]);
});

test('containers and units run commands of Quittance, and units stop after the server has', () => {
  const { services }: Compose = parse(read('compose.yaml'), { merge: true });
  const commands = [['serve', '--no-worker'], ['worker']];
  expect([services.server?.command, services.worker?.command]).toEqual(commands);
  const units = ['quittance-server.service', 'quittance-worker.service'].map(unitOf);
  expect(units.map(({ Service }) => Service?.ExecStart)).toEqual(
    commands.map((command) => [['/usr/local/bin/quittance', ...command].join(' ')]),
  );
  for (const { Unit, Service, Install } of units) {
    expect(Unit).toMatchObject({ Wants: ['network-online.target'] });
    expect(Service).toMatchObject({ EnvironmentFile: ['/etc/quittance/quittance.env'], Restart: ['always'] });
    expect(Number(Service?.TimeoutStopSec)).toBeGreaterThan(10);
    expect(Service?.Environment).toContain(`DATA_DIR=/var/lib/${Service?.StateDirectory}`);
    expect(Install).toEqual({ WantedBy: ['multi-user.target'] });
  }
});
