import { isLocalChain } from '../../base/core/local-chains.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { variables } from '../../base/platform/config/variables.ts';
import type { Finding } from './doctor-finding.ts';

type Choices = Pick<
  Config,
  'chainId' | 'tls' | 'baseUrl' | 'edgeSecret' | 'settlementPrivateKey' | 'platformAdmins' | 'tokens' | 'furtherChains'
>;

/** Names what is left out on a public chain, and what does not work without it. */
export function checkChoices(config: Choices): Finding[] {
  if (isLocalChain(config.chainId)) return [];
  const note = (check: keyof typeof variables, found: string, fix: string): Finding => ({
    ...{ check, state: 'note', found: `it is not set: ${found}`, fix },
  });
  const { edgeSecret, tls, baseUrl, settlementPrivateKey, platformAdmins, tokens, furtherChains } = config;
  const behindProxy = tls === null && baseUrl?.startsWith('https:') === true;
  const coins = [...tokens, ...furtherChains.flatMap((chain) => chain.tokens)].filter(
    ({ address }) => address === null,
  );
  const symbols = [...new Set(coins.map(({ symbol }) => symbol))].join(', ');
  return [
    ...(edgeSecret === null && behindProxy
      ? [
          note(
            'EDGE_SECRET',
            "callers share the rate limit of the proxy's address, and requests past the proxy are answered",
            'Set EDGE_SECRET=$(openssl rand -hex 32), and let the proxy send it as x-edge-secret.',
          ),
        ]
      : []),
    ...(settlementPrivateKey === null
      ? [
          note(
            'SETTLEMENT_PRIVATE_KEY',
            `no split is deployed and no share released${symbols ? `, and ${symbols} is never offered` : ''}`,
            'Set the key of a wallet of its own, and send it native coins for gas.',
          ),
        ]
      : []),
    ...(platformAdmins.length === 0
      ? [note('PLATFORM_ADMINS', "the console has no operator's page", 'Set PLATFORM_ADMINS to your wallet.')]
      : []),
  ];
}

const SECRETS = ['jwtSecret', 'keyEncryptionKey', 'cronSecret', 'edgeSecret'] as const;
const NAMES = {
  jwtSecret: 'JWT_SECRET',
  keyEncryptionKey: 'KEY_ENCRYPTION_KEY',
  cronSecret: 'CRON_SECRET',
  edgeSecret: 'EDGE_SECRET',
} as const;

/** Checks that no secret has the value of another one: who learns one of them would have both. */
export function checkEqualSecrets(config: Pick<Config, (typeof SECRETS)[number]>): Finding[] {
  return SECRETS.flatMap((one, at) => {
    const twin = SECRETS.slice(0, at).find((other) => config[one] !== null && config[other] === config[one]);
    if (!twin) return [];
    const fix = `Set ${NAMES[one]}=$(openssl rand -hex 32).`;
    return [{ check: NAMES[one], state: 'wrong' as const, found: `it has the value of ${NAMES[twin]}`, fix }];
  });
}

/** Shorter names are near to names of other programs. */
const SPELLING_MIN_LENGTH = 8;
const SPELLING_MAX_DISTANCE = 2;

/** Finds variables of the environment that nothing reads, and whose names are nearly those of the configuration. */
export function checkSpelling(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const known = Object.keys(variables).filter(({ length }) => length >= SPELLING_MIN_LENGTH);
  const strange = Object.keys(environment).filter((name) => !(name in variables) && !known.includes(name));
  return strange.flatMap((name) => {
    const meant = known.find((one) => environment[one] === undefined && distance(name, one) <= SPELLING_MAX_DISTANCE);
    if (meant === undefined) return [];
    return [{ check: name, state: 'wrong' as const, found: 'it is no variable of Quittance', fix: `Set ${meant}.` }];
  });
}

/** The number of letters to insert, delete or replace; at least the difference of the lengths. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SPELLING_MAX_DISTANCE) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
