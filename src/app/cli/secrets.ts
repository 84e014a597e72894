import { refuse } from '../../base/core/errors.ts';
import { recordOperation } from '../../base/records/audit/record-operation.ts';
import { reEncrypt } from '../../domain/operations/operators/re-encrypt.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance secrets re-encrypt` */
export async function secretsReEncrypt(options: { json?: boolean }): Promise<void> {
  const uses = await withDeps(async (deps) => {
    if (deps.settings.previousKeyEncryptionKey === null)
      throw refuse('invalid_input', 'Set KEY_ENCRYPTION_KEY_PREVIOUS to the key that KEY_ENCRYPTION_KEY replaces');
    await recordOperation(deps, 'secrets.re_encrypted', ['server', 'secrets'], {});
    return reEncrypt(deps);
  });
  print({ ok: true, uses }, options.json, [
    ...uses.map(({ what, current, previous, lost }) =>
      [
        `${what}: ${previous} encrypted again`,
        `${current} had the new key`,
        ...(lost ? [`${lost} open with neither`] : []),
      ].join(', '),
    ),
    'Remove KEY_ENCRYPTION_KEY_PREVIOUS when `quittance doctor` finds nothing that uses it.',
  ]);
}
