import { examineConfig } from '../../platform/config/config.ts';
import { ConfigFaults } from '../../platform/config/faults.ts';
import { examine } from '../doctor.ts';
import type { Finding } from '../doctor-finding.ts';
import { firstPayment } from '../first-payment.ts';
import { print } from '../print.ts';
import { answersOf, askOn } from './answers.ts';
import { type Answers, makeEnvironments } from './environment.ts';
import { filesOf, refuseExisting, writeFiles } from './files.ts';
import { type Funding, readFunding } from './funding.ts';
import type { QuestionName } from './options.ts';

interface SetupOptions extends Partial<Record<QuestionName, string>> {
  readonly out?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly payment?: boolean;
  readonly json?: boolean;
}

/**
 * `quittance setup`: asks what only the operator knows, makes the secrets, writes the environment of an installation,
 * and says what is left to do. With `--payment` it then follows a first payment.
 */
export async function setup({ out, yes, force, payment, json, ...given }: SetupOptions): Promise<void> {
  if (json && payment) throw new ConfigFaults(['--payment: prints lines while it waits, so it has no --json']);
  const refuse = (kind: Answers['for']) => {
    if (!force) refuseExisting(filesOf(kind, out));
  };
  const asks = process.stdin.isTTY === true && !yes && !json;
  const terminal = { input: process.stdin, output: process.stderr };
  const answers = answersOf(asks ? await askOn(terminal, given, refuse) : given);
  refuse(answers.for);
  if (payment && answers.for === 'compose')
    throw new ConfigFaults([
      '--payment: start the containers, then run `docker compose run --rm server first-payment`',
    ]);

  const files = filesOf(answers.for, out);
  const environments = makeEnvironments(answers);
  const kept = writeFiles(files, environments);
  const environment = surroundedBy(environments.server);
  const [findings, wallets] = await Promise.all([examine(environment), readFunding(examineConfig(environment).config)]);
  const left = findings.filter(({ state }) => state !== 'ok');
  print({ ok: findings.every(({ state }) => state !== 'wrong'), files, kept, wallets, findings }, json, [
    `Wrote ${files.server} and ${files.around}.`,
    ...kept.map((path) => `Kept what was there as ${path}.`),
    'Copy their keys to a place apart from this machine: a lost key cannot be made again.',
    ...fundingLines(wallets),
    ...leftLines(left),
    ...nextLines(answers, findings),
  ]);
  if (payment) await firstPayment({ wallet: answers.wallet, name: answers.name, release: true, environment });
}

/** What a server gets besides its file. Nothing else of this shell's environment belongs to it. */
function surroundedBy(server: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  const { DATA_DIR, HOST, PORT } = process.env;
  return { DATA_DIR, HOST, PORT, ...server };
}

function fundingLines(wallets: readonly Funding[]): string[] {
  const lines = wallets.map(({ role, address, coin, network, send, why, balance }) => {
    const amount = send === null ? `native coins` : `${send} ${coin}`;
    const has = balance === null || balance === '0' ? '' : ` It has ${balance}.`;
    return `  ${amount} on ${network} to ${address}, the ${role} wallet: ${why}.${has}`;
  });
  return lines.length === 0 ? [] : ['', 'Send, at the present price of gas:', ...lines];
}

function leftLines(left: readonly Finding[]): string[] {
  if (left.length === 0) return ['', 'The doctor finds nothing wrong.'];
  return [
    '',
    'What the doctor finds. Run it again once the server is started:',
    ...left.flatMap(({ check, found, fix }) => [`  ${check}: ${found}`, ...(fix === null ? [] : [`    ${fix}`])]),
  ];
}

/** Runs a command as the user of the services, with their environment. */
const AS_SERVICE =
  'systemd-run --quiet --pipe --wait --uid=quittance -p EnvironmentFile=/etc/quittance/quittance.env ' +
  '-E DATA_DIR=/var/lib/quittance quittance';

/** The way from the files to the first payment; docs/run/first-payment.md has the rest. */
function nextLines(answers: Answers, findings: readonly Finding[]): string[] {
  const { wallet, name } = answers;
  const payment = `first-payment --wallet ${wallet} --name '${name.replaceAll("'", "'\\''")}'`;
  if (answers.for === 'compose')
    return ['', 'Next:', '  docker compose up -d --build', `  docker compose run --rm server ${payment}`];
  const isAway = findings.some(({ check, state }) => check === 'database' && state === 'wrong');
  return [
    '',
    'Next, as root:',
    ...(isAway ? databaseLines(new URL(answers.database!)) : []),
    '  systemctl enable --now quittance-server quittance-worker && systemctl restart caddy',
    `  ${AS_SERVICE} ${payment}`,
  ];
}

/** What makes the database of the settings. */
function databaseLines({ username, password, pathname }: URL): string[] {
  const [user, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent);
  return [
    '  su postgres -c psql',
    `    create role ${user} login password '${secret}';`,
    `    create database ${database} owner ${user};`,
  ];
}
