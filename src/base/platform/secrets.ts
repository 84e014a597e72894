import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a secret from `dataDir/secrets`. If it is missing, creates it with `make`, by default with 256 random bits. */
export function keptSecret(dataDir: string, name: string, make = () => randomBytes(32).toString('hex')): string {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    try {
      writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    chmodSync(file, 0o600);
  }
  return readFileSync(file, 'utf8').trim();
}

const cipherKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, 'quittance', 'key-encryption', 32));

/** Encrypts with AES-256-GCM. Returns nonce, tag and ciphertext in base64url. `decrypt` needs the same `context`. */
export function encrypt(secret: string, context: string, plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', cipherKey(secret), nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Decrypts the result of `encrypt`. Throws if secret, context or text differ. */
function decrypt(secret: string, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(secret), bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** `KEY_ENCRYPTION_KEY`, and the value beside it while it is replaced. */
export interface SealingKeys {
  readonly keyEncryptionKey: string;
  readonly previousKeyEncryptionKey?: string | null;
}

/** Encrypts with `KEY_ENCRYPTION_KEY`. */
export const seal = ({ keyEncryptionKey }: SealingKeys, context: string, plain: string): string =>
  encrypt(keyEncryptionKey, context, plain);

/** Decrypts what `seal` encrypted with `KEY_ENCRYPTION_KEY` or the value beside it. Throws for any other. */
export function unseal(
  { keyEncryptionKey, previousKeyEncryptionKey = null }: SealingKeys,
  context: string,
  sealed: string,
): string {
  if (previousKeyEncryptionKey === null || opens(keyEncryptionKey, context, sealed))
    return decrypt(keyEncryptionKey, context, sealed);
  return decrypt(previousKeyEncryptionKey, context, sealed);
}

/** Whether `secret` is the one that encrypted a value. */
export function opens(secret: string, context: string, sealed: string): boolean {
  try {
    decrypt(secret, context, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Lower-case hex SHA-256. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Lower-case hex HMAC-SHA256. */
export const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Compares two secrets in constant time. The time reveals only whether their lengths differ. */
export function sameSecret(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
