import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, unpackDebian } from './debian.ts';
import { findProgram, type Program, runProgram } from './programs.ts';

/** Finds openssl on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
function findOpenssl(): Program {
  const file = findProgram('openssl');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('openssl', ['openssl']);
    return { file: join(root, 'usr/bin/openssl'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need openssl: run `apt-get install openssl`', { cause: error });
  }
}

/** A certificate and its key, in files. */
interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority for one test. */
export interface Authority extends Certificate {
  /** Makes a certificate for a host's name, with a key of its own. */
  issue(host: string): Certificate;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority in a folder, under a name that its files begin with. */
export function makeAuthority(folder: string, name: string): Authority {
  const { file, env } = findOpenssl();
  // Nothing of the machine's own configuration, which may not be there.
  const config = join(folder, `${name}.cnf`);
  writeFileSync(config, '[req]\ndistinguished_name = name\n[name]\n[authority]\nbasicConstraints = critical,CA:true\n');
  const openssl = (...args: string[]) => runProgram(file, args, folder, { ...env, OPENSSL_CONF: config });
  const own = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`) };
  const out = ({ certFile, keyFile }: Certificate) => ['-keyout', keyFile, '-out', certFile];
  openssl('req', '-x509', ...CURVE, ...out(own), '-subj', `/CN=${name}`, '-days', '2', '-extensions', 'authority');
  let serial = 0;
  return {
    ...own,
    issue(host) {
      serial += 1;
      const stem = join(folder, `${name}-${serial}`);
      const made = { certFile: `${stem}.pem`, keyFile: `${stem}.key` };
      writeFileSync(`${stem}.ext`, `subjectAltName = DNS:${host}\n`);
      openssl('req', '-new', ...CURVE, '-keyout', made.keyFile, '-out', `${stem}.csr`, '-subj', `/CN=${host}`);
      const by = ['-CA', own.certFile, '-CAkey', own.keyFile, '-set_serial', String(serial), '-days', '2'];
      openssl('x509', '-req', '-in', `${stem}.csr`, ...by, '-extfile', `${stem}.ext`, '-out', made.certFile);
      return made;
    },
  };
}
