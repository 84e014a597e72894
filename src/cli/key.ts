import { issueKey } from '../keys/issue.ts';
import { listKeys } from '../keys/list.ts';
import { revokeKey } from '../keys/revoke.ts';
import { rotateKey } from '../keys/rotate.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

interface Json {
  json?: boolean;
}

/** `quittance key issue` */
export async function keyIssue(
  options: Json & { wallet: string; scopes: string[]; label?: string; unlimited?: boolean; trustedOnly?: boolean },
): Promise<void> {
  const issued = await withDeps((deps) =>
    issueKey(deps, {
      merchant: walletOf(options.wallet),
      scopes: options.scopes,
      label: options.label,
      unlimited: options.unlimited,
      trustedOnly: options.trustedOnly,
    }),
  );
  print(issued, options.json, [
    `Key     ${issued.key}`,
    `Id      ${issued.id}`,
    `Scopes  ${issued.scopes.join(', ')}`,
    'It is shown only this once.',
  ]);
}

/** `quittance key rotate` */
export async function keyRotate(id: string, options: Json): Promise<void> {
  const issued = await withDeps((deps) => rotateKey(deps, { id }));
  print(issued, options.json, [`Key     ${issued.key}`, `Id      ${issued.id}`, `${id} is revoked.`]);
}

/** `quittance key revoke` */
export async function keyRevoke(id: string, options: Json): Promise<void> {
  const revoked = await withDeps((deps) => revokeKey(deps, { id }));
  print(revoked, options.json, [`${id} is revoked.`]);
}

/** `quittance key list` */
export async function keyList(options: Json & { wallet: string }): Promise<void> {
  const keys = await withDeps((deps) => listKeys(deps, walletOf(options.wallet)));
  print(
    keys,
    options.json,
    keys.map(
      ({ id, label, scopes, revokedAt, trustedOnly }) =>
        `${id}  ${revokedAt === null ? 'active ' : 'revoked'}  ${label ?? '-'}  ${scopes.join(',')}${trustedOnly ? '  trusted documents only' : ''}`,
    ),
  );
}
