import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { malformed } from '../../base/core/errors.ts';
import { parseInput } from '../../base/core/input.ts';
import { recordOperation } from '../../base/records/audit/record.ts';
import { revokeKey, rotateKey, rotationInput } from '../../domain/access/keys/change-keys.ts';
import { issueKey } from '../../domain/access/keys/issue.ts';
import { listKeys } from '../../domain/access/keys/list.ts';
import { importUsers, MAX_FAULTS } from '../../domain/people/users/import.ts';
import { listMerchants } from '../../domain/shop/merchants/find.ts';
import { inviteInput, inviteMerchant } from '../../domain/shop/merchants/invite.ts';
import { admitMerchant } from '../../domain/shop/merchants/newcomer.ts';
import { registerMerchant } from '../../domain/shop/merchants/register.ts';
import { resumeMerchant, suspendMerchant } from '../../domain/shop/merchants/suspend.ts';
import { configureSplit } from '../../domain/shop/splits/configure.ts';
import { recipientsOf, sameShares } from '../../domain/shop/splits/settle-address.ts';
import { parseSplitInput } from '../../domain/shop/splits/split.input.ts';
import { walletOf, withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance merchant create` */
export async function merchantCreate(options: {
  wallet: string;
  name: string;
  brand?: string;
  json?: boolean;
}): Promise<void> {
  const merchant = await withDeps((deps) =>
    registerMerchant(deps, { wallet: walletOf(options.wallet), name: options.name, brandKey: options.brand }),
  );
  const { wallet, name, brandKey, createdAt } = merchant;
  print({ wallet, name, brandKey, createdAt }, options.json, [`Registered ${name} (${wallet})`]);
}

/** `quittance merchant list`: every merchant, oldest first. */
export async function merchantList(options: { json?: boolean }): Promise<void> {
  const merchants = await withDeps(({ db }) => listMerchants(db));
  const answer = merchants.map(({ wallet, name, brandKey, createdAt }) => ({ wallet, name, brandKey, createdAt }));
  const lines = answer.map(({ wallet, name, brandKey }) => `${wallet}  ${brandKey}  ${name}`);
  print(answer, options.json, lines.length > 0 ? lines : ['There is no merchant yet.']);
}

/** `quittance merchant invite` */
export async function merchantInvite(options: { hours?: number; note?: string; json?: boolean }): Promise<void> {
  const { id, code, expiresAt } = await withDeps((deps) => inviteMerchant(deps, parseInput(inviteInput, options)));
  print({ id, code, expiresAt }, options.json, [
    `Code    ${code}`,
    `Until   ${new Date(expiresAt).toISOString()}`,
    'One wallet may register a merchant with it. It is shown only this once.',
  ]);
}

/** `quittance merchant admit` */
export async function merchantAdmit(options: { wallet: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  await withDeps((deps) => admitMerchant(deps, wallet));
  print({ wallet, newcomer: false }, options.json, [`${wallet} is admitted.`]);
}

/** `quittance merchant suspend` */
export async function merchantSuspend(options: { wallet: string; reason: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  const suspension = await withDeps((deps) => suspendMerchant(deps, wallet, options.reason));
  print({ wallet, ...suspension }, options.json, [`${wallet} is suspended.`]);
}

/** `quittance merchant resume` */
export async function merchantResume(options: { wallet: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  const suspension = await withDeps((deps) => resumeMerchant(deps, wallet));
  print({ wallet, ...suspension }, options.json, [`${wallet} is no longer suspended.`]);
}

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
  const keys = await withDeps((deps) => listKeys(deps.db, walletOf(options.wallet)));
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

/** `quittance split set` */
export async function splitSet(options: {
  wallet: string;
  recipient?: { address: string; sharesBps: number }[];
  address?: string;
  json?: boolean;
}): Promise<void> {
  const merchant = walletOf(options.wallet);
  const given = parseSplitInput({ splitAddress: options.address, recipients: options.recipient });
  const { split, idempotent } = await withDeps(async (deps) => {
    const configured = await configureSplit(deps, merchant, given);
    const { address, recipients } = configured.split;
    // The API answers with the split that is there. An operator would read that as success.
    const isOther =
      (given.splitAddress !== undefined && given.splitAddress !== address) ||
      (given.recipients !== undefined && !sameShares(recipients, recipientsOf(deps.settings, merchant, given)));
    if (configured.idempotent && isOther) {
      const shares = recipients.map((one) => `${one.address}:${one.sharesBps}`).join(', ');
      throw malformed(`The merchant has a split, and nothing is changed: ${address} pays ${shares}`);
    }
    return configured;
  });
  const { address, recipients } = split;
  print({ ok: true, split: { address, recipients }, ...(idempotent ? { idempotent } : {}) }, options.json, [
    `Split ${address}${idempotent ? ' (was there before)' : ''}`,
    ...recipients.map((recipient) => `  ${recipient.address}  ${recipient.sharesBps} bps`),
  ]);
}

/** `quittance user import`: prints the report to stdout, and progress to stderr if it is a terminal. */
export async function userImport(file: string, options: { json?: boolean }): Promise<void> {
  const { size } = await stat(file);
  const bar = new SingleBar({
    format: 'Importing [{bar}] {percentage}%  {lines} lines  {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    etaBuffer: 50,
  });
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 });
  const report = await withDeps(async (deps) => {
    await recordOperation(deps, 'users.imported', ['server', 'users'], { bytes: size });
    bar.start(Math.max(size, 1), 0, { lines: 0 });
    try {
      return await importUsers(deps, bytes, (lines) => bar.update(bytes.bytesRead, { lines }));
    } finally {
      bar.stop();
      bytes.destroy();
    }
  });
  const more = report.refused - report.faults.length;
  print(report, options.json, [
    `Imported ${report.imported} of ${report.lines} users.`,
    ...report.faults.map(({ line, reason }) => `Line ${line}: ${reason}`),
    ...(more > 0 ? [`… and ${more} more invalid lines; the first ${MAX_FAULTS} are shown.`] : []),
  ]);
}
