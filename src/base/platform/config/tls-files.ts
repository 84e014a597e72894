import { faultLine } from './fault-line.ts';
import type { Given } from './given.ts';
import { readTls, type TlsFiles } from './tls.ts';

/** Reads both file names or none. A pair that does not match is a fault at startup, not at the first connection. */
export function readTlsFiles(
  { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Given,
  faults: string[],
): TlsFiles | null {
  if (certFile === undefined && keyFile === undefined) return null;
  const missing = certFile === undefined ? 'TLS_CERT_FILE' : keyFile === undefined ? 'TLS_KEY_FILE' : null;
  if (missing) faults.push(faultLine(missing, 'must be set together with the other'));
  if (certFile === undefined || keyFile === undefined) return null;
  try {
    readTls({ certFile, keyFile });
  } catch (error) {
    const { message } = error as Error;
    faults.push(faultLine('TLS_KEY_FILE', `must be the key of TLS_CERT_FILE, ${message}`));
  }
  return { certFile, keyFile };
}
