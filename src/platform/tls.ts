import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The files of a server's certificate: PEM, the certificate with its chain first. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** What they hold now. Throws where a file cannot be read, or where key and certificate do not belong together. */
export function readTls({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  createSecureContext(tls);
  return tls;
}

/** How often it is looked whether a certificate was renewed. */
const RENEWAL_MS = 60_000;

/**
 * Gives a running server its certificate again each time the files change, so that a renewal needs no restart. A pair that does not fit (half of it is
 * written yet) is told to `failed`, and tried again with the next look.
 */
export function followTls(
  files: TlsFiles,
  server: { setSecureContext(tls: { cert: Buffer; key: Buffer }): void },
  failed: (error: Error) => void,
  everyMs = RENEWAL_MS,
): { stop(): void } {
  const mark = () => [files.certFile, files.keyFile].map((file) => statSync(file).mtimeMs).join();
  let taken = mark();
  const timer = setInterval(() => {
    try {
      const now = mark();
      if (now === taken) return;
      server.setSecureContext(readTls(files));
      taken = now;
    } catch (error) {
      failed(error as Error);
    }
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
