import { parseInput } from '../../base/core/input.ts';
import { issueKey } from '../../domain/access/keys/issue.ts';
import { listKeys } from '../../domain/access/keys/list.ts';
import { revokeKey } from '../../domain/access/keys/revoke.ts';
import { rotateKey, rotationInput } from '../../domain/access/keys/rotate.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

interface Json {
  json?: boolean;
}

const DAY_MS = 24 * 3_600_000;

/** `quittance key issue` */
export async function keyIssue(
  options: Json & {
    wallet: string;
    scopes: string[];
    label?: string;
    unlimited?: boolean;
    trustedOnly?: boolean;
    days?: number;
    origins?: string[];
    addresses?: string[];
  },
): Promise<void> {
  const issued = await withDeps((deps) =>
    issueKey(deps, {
      merchant: walletOf(options.wallet),
      scopes: options.scopes,
      label: options.label,
      unlimited: options.unlimited,
      trustedOnly: options.trustedOnly,
      expiresAt: options.days === undefined ? null : deps.clock() + options.days * DAY_MS,
      origins: options.origins,
      addresses: options.addresses,
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
export async function keyRotate(id: string, options: Json & { overlapHours: number }): Promise<void> {
  const { overlapHours } = parseInput(rotationInput, options);
  const issued = await withDeps((deps) => rotateKey(deps, { id }, { overlapMs: overlapHours * 3_600_000 }));
  const end = overlapHours === 0 ? 'is revoked' : `works for ${overlapHours} more hours`;
  print(issued, options.json, [`Key     ${issued.key}`, `Id      ${issued.id}`, `${id} ${end}.`]);
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
      ({ id, label, scopes, revokedAt, expiresAt, trustedOnly }) =>
        `${id}  ${stateOf(revokedAt, expiresAt)}  ${label ?? '-'}  ${scopes.join(',')}${trustedOnly ? '  trusted documents only' : ''}`,
    ),
  );
}

function stateOf(revokedAt: number | null, expiresAt: number | null): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= Date.now() ? 'expired' : 'active ';
}
