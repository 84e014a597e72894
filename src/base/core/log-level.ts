/** The parts of a process whose level can be set apart, with what they log. */
export const LOG_COMPONENTS = {
  server: 'HTTP, GraphQL, websockets and pages.',
  watcher: 'Reading the chain, matching and confirming payments.',
  settlement: 'Releases of shares and deployments of splits.',
  charges: 'Charges of subscriptions.',
  webhooks: 'Deliveries of webhooks.',
  events: 'Events for endpoints and the feed.',
} as const satisfies Readonly<Record<string, string>>;

export type LogComponent = keyof typeof LOG_COMPONENTS;

/** The levels, from everything to nothing. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
