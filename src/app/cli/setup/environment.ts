import { randomBytes } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { defaultPriceFeeds } from '../../../base/chain/price-feeds.ts';
import type { Token } from '../../../base/chain/token.ts';
import { currencyOf, defaultTokens, isAtPar } from '../../../base/chain/tokens.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import { privateKey } from '../../../base/platform/config/values.ts';
import type { QuestionName } from './options.ts';

/** The answers of the questions, each as the settings take it. Those that do not apply are missing. */
export type Answers = Readonly<Record<Exclude<QuestionName, 'for' | 'smtp' | 'database' | 'redis'>, string>> & {
  readonly for: 'systemd' | 'compose';
  readonly smtp?: string;
  readonly database?: string;
  readonly redis?: string;
};

type Environment = Record<string, string>;

/** The variables of servers and workers, and those of what stands around them: the proxy, and with Compose the rest. */
export interface Environments {
  readonly server: Environment;
  readonly around: Environment;
}

/** The variables that the answers become, without secrets that are made. */
export function environmentOf(answers: Partial<Answers>): Environments {
  const { domain, chain, rpc, wallet, feeWallet, settlement, spender, email, smtp, database, redis } = answers;
  const [rpcUrl, ...fallbacks] = rpc?.split(',').map((url) => url.trim()) ?? [];
  return {
    server: defined({
      NODE_ENV: 'production',
      BASE_URL: domain,
      ...(chain === undefined ? {} : { CHAIN_ID: chain, ...pricedTokens(Number(chain)) }),
      RPC_URL: rpcUrl,
      RPC_FALLBACK_URL: fallbacks.join(',') || undefined,
      PLATFORM_ADMINS: wallet,
      PLATFORM_RECIPIENT: feeWallet,
      SETTLEMENT_PRIVATE_KEY: settlement === 'none' ? undefined : settlement,
      SPENDER_PRIVATE_KEY: spender === 'none' ? undefined : spender,
      // Servers get the address alone.
      SPENDER_ADDRESS: addressOfKey(spender),
      DATABASE_URL: database,
      REDIS_URL: redis,
    }),
    around: defined({
      SERVER_NAME: domain !== undefined && URL.canParse(domain) ? new URL(domain).host : undefined,
      ALERT_EMAIL: email,
      ...(smtp === undefined || smtp === 'none' ? {} : smtpOf(new URL(smtp))),
    }),
  };
}

function addressOfKey(text: string | undefined): string | undefined {
  const { data } = privateKey.safeParse(text);
  return data && privateKeyToAddress(data).toLowerCase();
}

/** Whether a proxy stands before the server, which proves by a secret that a request came through it. */
const hasProxy = ({ domain }: Pick<Answers, 'domain'>): boolean => domain.startsWith('https://');

/** The variables of the answers, with new secrets. */
export function makeEnvironments(answers: Answers): Environments {
  const { server, around } = environmentOf(answers);
  const edge: Environment = hasProxy(answers) ? { EDGE_SECRET: secret() } : {};
  const passwords: Environment =
    answers.for === 'compose'
      ? { POSTGRES_PASSWORD: secret(), REDIS_PASSWORD: secret(), GRAFANA_PASSWORD: secret() }
      : {};
  return {
    server: { ...server, JWT_SECRET: secret(), KEY_ENCRYPTION_KEY: secret(), CRON_SECRET: secret(), ...edge },
    around: { ...around, ...edge, ...passwords },
  };
}

const secret = (): string => randomBytes(32).toString('hex');

/** The source of prices, and the tokens where it does not price each of them: the others would be shown and refused. */
function pricedTokens(chainId: number): Partial<Environment> {
  if (isLocalChain(chainId)) return {};
  const feeds = defaultPriceFeeds(chainId);
  const tokens = defaultTokens(chainId);
  const priced = tokens.filter((token) => isAtPar(token) || feeds.has(currencyOf(token)));
  return {
    FX_SOURCE: feeds.size > 0 ? 'chainlink' : undefined,
    TOKENS: priced.length < tokens.length ? JSON.stringify(Object.fromEntries(priced.map(asEntry))) : undefined,
  };
}

const asEntry = ({ symbol, ...token }: Token): [string, object] => [symbol, token];

const smtpOf = ({ host, username, password }: URL): Environment => ({
  COMPOSE_PROFILES: 'alerts',
  SMTP_HOST: host,
  SMTP_USER: decodeURIComponent(username),
  SMTP_PASSWORD: decodeURIComponent(password),
});

const defined = (values: Readonly<Record<string, string | undefined>>): Environment =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
