import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Settings } from '../../../base/platform/deps.ts';
import { answeredInTime } from '../operators/dependencies.ts';

/** `file`: TLS_CERT_FILE. `base_url`: what answers at BASE_URL, such as a proxy. */
export type CertificateSource = 'file' | 'base_url';

/** When the certificates of the installation end; without those that cannot be read. Resolves within 1.5 s. */
export async function readCertificateEnds({
  tls,
  baseUrl,
}: Pick<Settings, 'tls' | 'baseUrl'>): Promise<Map<CertificateSource, Date>> {
  const [file, served] = await Promise.all([
    // A file that is being replaced is read the next time.
    tls === null ? null : answeredInTime(readFile(tls.certFile).then((pem) => new X509Certificate(pem).validToDate)),
    baseUrl.startsWith('https:') ? answeredInTime(servedEnd(new URL(baseUrl))) : null,
  ]);
  const ends = [['file', file] as const, ['base_url', served] as const];
  return new Map(ends.flatMap(([source, end]) => (end === null ? [] : [[source, end]])));
}

/** Rejects if no one answers there. A certificate that does not verify is read too: it may have ended. */
function servedEnd({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: Number(port || 443), servername: isIP(host) ? '' : host };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...place, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate.validToDate);
      else reject(new Error(`${host} has no certificate`));
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error(`${host} does not answer`)));
    socket.on('error', reject);
  });
}
