import { spawn } from 'node:child_process';
import { startReaper } from './start-reaper.ts';

/** The process of a run that starts programs in sessions of their own, and is then killed. Prints their pids. */
const folder = process.argv[2]!;
startReaper(folder);
const options = { detached: true, stdio: 'ignore' } as const;
const byEnvironment = spawn('sleep', ['600'], { ...options, env: { PATH: process.env.PATH, TMPDIR: folder } });
const byCommandLine = spawn('tail', ['-f', `${folder}/log`], { ...options, env: { PATH: process.env.PATH } });
console.log(JSON.stringify([byEnvironment.pid, byCommandLine.pid]));
setInterval(() => {}, 1_000);
