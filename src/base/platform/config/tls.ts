import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Given } from './given.ts';
import { faultLine } from './variable-fault.ts';

/** The PEM files of a server's certificate (with its chain) and key. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads the files. Throws if a file cannot be read, or if key and certificate do not match. */
export function readTls({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  createSecureContext(tls);
  return tls;
}

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

/** The interval at which a renewed certificate is looked for. */
const RENEWAL_MS = 60_000;

/**
 * Reloads the certificate of a running server each time the files change, so that a renewal needs no restart. A pair
 * that does not match (one file is not written yet) is passed to `failed`, and tried again after the interval.
 */
export function followTls(
  files: TlsFiles,
  server: { setSecureContext(tls: { cert: Buffer; key: Buffer }): void },
  failed: (error: Error) => void,
  everyMs = RENEWAL_MS,
): { stop(): void } {
  const mark = () => [files.certFile, files.keyFile].map((file) => statSync(file).mtimeMs).join();
  let loaded = mark();
  const timer = setInterval(() => {
    try {
      const now = mark();
      if (now === loaded) return;
      server.setSecureContext(readTls(files));
      loaded = now;
    } catch (error) {
      failed(error as Error);
    }
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
