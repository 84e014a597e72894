import { hash } from 'node:crypto';
import { merchantOf, type Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import { neededForKinds, neededForScopes } from '../../../base/core/roles.ts';
import { SHOP_SYSTEM_SCOPES } from '../../../base/core/scopes.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { opens, sameSecret, seal, unseal } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { issueKeyWithin } from '../../access/keys/issue.ts';
import { findMerchant, merchantNotFound } from '../../shop/merchants/find.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import { addEndpoint } from '../../webhooks/endpoints/manage.ts';
import { SHOP_SYSTEM_KINDS } from '../../webhooks/events/kinds.ts';
import type { GrantInput } from './connect.input.ts';

type ConnectDeps = WritingDeps & { readonly settings: Settings };

/** How long a code is valid. */
const CODE_MS = 5 * 60_000;

/** What a code stands for. The code is this record, encrypted: nothing is stored until it is used. */
interface Grant extends Pick<GrantInput, 'name' | 'codeChallenge'> {
  readonly id: string;
  readonly merchant: Wallet;
  /** The member who granted it. The key never has more rights than this member. */
  readonly issuer: Wallet;
  readonly webhookUrl: string | null;
  readonly expiresAt: number;
}

/** What else is encrypted with the same key is no code. */
const CONTEXT = 'connect-code';

/**
 * Allows a shop system to take a key, once, within five minutes, with the verifier of its challenge. Returns the
 * address that the browser goes back to, with `code` and `state`. Refuses with `forbidden` a member whose role does not
 * cover what is granted.
 */
export async function grantConnection(
  deps: ConnectDeps,
  session: Session,
  { name, returnUrl, state, codeChallenge, ...input }: GrantInput,
): Promise<{ readonly returnUrl: string; readonly expiresAt: number }> {
  const now = deps.clock();
  const merchant = merchantOf(session);
  const expiresAt = now + CODE_MS;
  const webhookUrl = input.webhookUrl ?? null;
  const asked = { name, codeChallenge, webhookUrl };
  const grant: Grant = { id: newId('connect', now), merchant, issuer: session.wallet, ...asked, expiresAt };
  await deps.db.transaction(async (uow) => {
    await requireGrantable(uow, grant);
    const after = { name, returnUrl: new URL(returnUrl).origin, webhookUrl, scopes: SHOP_SYSTEM_SCOPES };
    await recordAudit(deps, uow, merchant, 'key.granted', ['merchant', merchant], { after });
  });
  const to = new URL(returnUrl);
  to.searchParams.set('code', seal(deps.settings, CONTEXT, JSON.stringify(grant)));
  if (state !== undefined) to.searchParams.set('state', state);
  return { returnUrl: to.href, expiresAt };
}

/** What a shop system has after it was connected. */
export interface Connection {
  readonly apiKey: string;
  /** Null without an address for events. */
  readonly webhookSecret: string | null;
  readonly merchant: Wallet;
  readonly merchantName: string;
  readonly baseUrl: string;
}

/**
 * Exchanges a code for a key, which has the name of the shop system, and for an endpoint of that key. Refuses with
 * `connect_code_invalid`, and with `forbidden` if the rights of the member who granted it have ended meanwhile.
 */
export async function exchangeCode(
  { origin, ...deps }: ConnectDeps,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string },
): Promise<Connection> {
  const grant = readCode(deps.settings, code);
  const proven = grant !== null && sameSecret(hash('sha256', codeVerifier, 'base64url'), grant.codeChallenge);
  if (!proven || grant.expiresAt <= deps.clock()) throw refuse('connect_code_invalid');
  const { id, merchant, issuer, name, webhookUrl } = grant;
  // The member acted, by confirming it.
  const acting = { ...deps, origin: { ...origin, actor: `wallet:${issuer}` } };
  const made: Pick<Connection, 'apiKey' | 'webhookSecret'>[] = [];
  const request = { merchant, operation: 'connectShop', key: id, digest: id };
  await withIdempotencyKey(deps.db, deps.clock(), request, async (uow) => {
    await requireGrantable(uow, grant);
    const { id: keyId, key: apiKey } = await issueKeyWithin(acting, uow, {
      ...{ merchant, issuer, label: name, scopes: SHOP_SYSTEM_SCOPES },
    });
    const endpoint = webhookUrl && { url: webhookUrl, kinds: [...SHOP_SYSTEM_KINDS], description: name, enabled: true };
    const webhookSecret = endpoint
      ? (await addEndpoint(acting, uow, endpoint, { merchant, issuer, keyId })).secret
      : null;
    made.push({ apiKey, webhookSecret });
    return {};
  });
  const secrets = made.at(-1);
  // The code was used before.
  if (!secrets) throw refuse('connect_code_invalid');
  const found = await findMerchant(deps.db, merchant);
  if (!found) throw merchantNotFound();
  return { ...secrets, merchant, merchantName: found.brandName, baseUrl: deps.settings.baseUrl };
}

/** What a code stands for; null for anything that this server did not make. */
function readCode(settings: Settings, code: string): Grant | null {
  const { keyEncryptionKey, previousKeyEncryptionKey } = settings;
  const isOurs = [keyEncryptionKey, previousKeyEncryptionKey].some((key) => key && opens(key, CONTEXT, code));
  return isOurs ? (JSON.parse(unseal(settings, CONTEXT, code)) as Grant) : null;
}

/** Requires that the role of the member covers what is granted, and locks the members. */
async function requireGrantable(
  uow: UnitOfWork,
  { merchant, issuer }: Pick<Grant, 'merchant' | 'issuer'>,
): Promise<void> {
  const needed = [...neededForScopes(SHOP_SYSTEM_SCOPES), ...neededForKinds(SHOP_SYSTEM_KINDS)];
  requireCovered(await lockIssuer(uow, merchant, issuer), needed);
}
