const DAY_S = 86_400;

/** Billing periods: the API name of each, and the period in seconds that a spend permission must have. */
export const PERIOD_SECONDS = {
  WEEKLY: 7 * DAY_S,
  BIWEEKLY: 14 * DAY_S,
  MONTHLY: 30 * DAY_S,
  QUARTERLY: 90 * DAY_S,
  YEARLY: 365 * DAY_S,
} as const;

export type Period = keyof typeof PERIOD_SECONDS;

export const PERIODS = Object.keys(PERIOD_SECONDS) as readonly Period[];
