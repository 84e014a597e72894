import { findProgram, isExecutable, runProgram } from './programs.ts';

/** The headless shell first: it needs half the CPU for a new page. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** What Chromium needs to run in a container, as root too, and to leave the network alone. */
export const chromiumArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * The path of a Chromium: `CHROMIUM_PATH`, one on PATH, else Debian's, which is installed when we are root. Throws with
 * the command that helps: a browser test is never skipped.
 */
export function findChromium(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!isExecutable(given)) throw new Error(`CHROMIUM_PATH=${given} is not a program that can be run`);
    return given;
  }
  return findProgram(...names) ?? installChromium();
}

function installChromium(): string {
  const install = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation'];
  const help = `the browser tests need Chromium: run \`apt-get ${install.join(' ')}\` as root, or set CHROMIUM_PATH`;
  const apt = findProgram('apt-get');
  if (process.getuid?.() !== 0 || !apt) throw new Error(help);
  // Two workers may come here at once; apt waits for the other's lock.
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'DPkg::Options::=--force-confold'];
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  try {
    console.warn('installing Debian’s Chromium for the browser tests');
    try {
      runProgram(apt, [...options, ...install]);
    } catch {
      runProgram(apt, [...options, 'update']);
      runProgram(apt, [...options, ...install]);
    }
  } catch (error) {
    throw new Error(help, { cause: error });
  }
  const file = findProgram(...names);
  if (!file) throw new Error(help);
  return file;
}
