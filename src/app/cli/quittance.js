#!/usr/bin/env node
/**
 * The command `quittance`: installs dependencies if needed, then runs the program with the project's own Node.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { programFile } from './compile.js';
import { installDependencies, projectRoot } from './install.js';

/** The first Node version that runs TypeScript without a flag. */
const oldestNode = [22, 17];
const typesNode = [22, 18];

/**
 * The size of V8's young generation (MiB). With the default of 16, requests under load spend a tenth of their time in
 * garbage collection.
 */
const nursery = '--max-semi-space-size=32';

try {
  await installDependencies();
  const { file, flags } = findNode();
  const args = ['--disable-warning=ExperimentalWarning', nursery, ...flags, programFile()];
  runInstead(file, [...args, ...process.argv.slice(2)]);
} catch (error) {
  process.stderr.write(`quittance: ${error.message}\n`);
  process.exitCode = 1;
}

function findNode() {
  const own = join(projectRoot, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(own)) return { file: own, flags: [] };
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isBefore = (version) => major < version[0] || (major === version[0] && minor < version[1]);
  if (isBefore(oldestNode)) {
    throw new Error(
      `needs Node ${oldestNode.join('.')} or newer, this is ${process.versions.node}, and npm has no Node for ` +
        `${process.platform}-${process.arch} here; install a newer Node.js`,
    );
  }
  return { file: process.execPath, flags: isBefore(typesNode) ? ['--experimental-strip-types'] : [] };
}

/**
 * Replaces this process by the given program if Node supports it (22.15), so that signals and the exit code pass
 * through. Otherwise runs it as a child.
 */
function runInstead(file, args) {
  const env = {
    ...process.env,
    DATA_DIR: process.env.DATA_DIR || join(projectRoot, '.data'),
    // Compiled modules are kept between runs. Node goes on without the cache if the folder cannot be written.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(projectRoot, 'node_modules/.cache/node'),
  };
  if (process.execve) {
    // The function prints an experimental warning.
    process.removeAllListeners('warning');
    process.execve(file, [file, ...args], env);
  }
  const child = spawn(file, args, { stdio: 'inherit', env });
  const pass = (signal) => child.kill(signal);
  process.on('SIGTERM', pass);
  process.on('SIGHUP', pass);
  // A terminal sends Ctrl-C to the whole process group, including the child. Forwarding it would send it twice.
  process.on('SIGINT', (signal) => process.stdin.isTTY || pass(signal));
  child.once('error', (error) => {
    process.stderr.write(`quittance: ${file}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
