/** A kind of request that this process sends over HTTP, or by SMTP. docs/run/security.md shows this table. */
interface Destination {
  readonly sends: string;
  readonly to: string;
  /** One try, with the whole answer. */
  readonly timeoutMs: number;
  readonly tries: number;
  /** The most bytes that are read of an answer; null where the answer of a host of the settings is not limited. */
  readonly answerBytes: number | null;
}

/**
 * Everything that this process sends over HTTP, and its e-mail. A host comes from the settings and is the only one that
 * the request can reach, or anybody chose it and the guarded client sends the request. What is not in this table is not
 * sent.
 */
export const DESTINATIONS = {
  rpc: {
    sends: 'calls to the chain that a caller waits for',
    to: '`RPC_URL`, `RPC_FALLBACK_URL`, `CHAINS`',
    timeoutMs: 2_500,
    tries: 2,
    answerBytes: null,
  },
  rpcOfWatcher: {
    sends: 'calls of the chain watcher, which repeats them by itself',
    to: '`RPC_URL`, `RPC_FALLBACK_URL`, `CHAINS`',
    timeoutMs: 10_000,
    tries: 1,
    answerBytes: null,
  },
  logsOfWatcher: {
    sends: 'logs of a range of blocks, which is halved after a failure',
    to: '`RPC_URL`, `RPC_FALLBACK_URL`, `CHAINS`',
    timeoutMs: 30_000,
    tries: 1,
    answerBytes: null,
  },
  rpcOfStrangers: {
    sends: 'calls to the chain that run the code of a contract that a stranger chose',
    to: '`RPC_URL`, `RPC_FALLBACK_URL`, `CHAINS`',
    timeoutMs: 2_500,
    tries: 1,
    answerBytes: 65_536,
  },
  localChain: {
    sends: 'control of the local chain',
    to: 'the local chain of `npm start`',
    timeoutMs: 5_000,
    tries: 1,
    answerBytes: null,
  },
  rates: {
    sends: 'exchange rates, again after 10 s',
    to: '`FX_ECB_URL`',
    timeoutMs: 5_000,
    tries: 1,
    answerBytes: 1_048_576,
  },
  cardQuote: {
    sends: 'the price of a card payment',
    to: '`STRIPE_API_URL`',
    timeoutMs: 1_500,
    tries: 1,
    answerBytes: null,
  },
  cardSession: {
    sends: 'a session of a card payment',
    to: '`STRIPE_API_URL`',
    timeoutMs: 4_000,
    tries: 2,
    answerBytes: null,
  },
  traces: {
    sends: 'spans',
    to: '`OTEL_EXPORTER_OTLP_ENDPOINT`',
    timeoutMs: 2_000,
    tries: 1,
    answerBytes: null,
  },
  ownServer: {
    sends: 'requests of `quittance first-payment`, as a shop sends them',
    to: '`BASE_URL`',
    timeoutMs: 10_000,
    tries: 4,
    answerBytes: null,
  },
  mail: {
    sends: 'e-mail by SMTP, five messages at once (each within 100 s), for three days',
    to: '`SMTP_URL`',
    timeoutMs: 10_000,
    tries: 1,
    answerBytes: 1_048_576,
  },
  webhook: {
    sends: 'webhooks, the second try after 5 s',
    to: 'any public address',
    timeoutMs: 5_000,
    tries: 2,
    answerBytes: 65_536,
  },
} as const satisfies Record<string, Destination>;
