import type { ContractSection } from './section.ts';

export const users: ContractSection = {
  name: 'users',
  title: 'Users',
  lines: {
    scope: 'Both routes need the scope `users:read`',
    fields: 'A user: `wallet, displayName, pfpUrl, xp, live, lastSeen, lastHeartbeat, domains, platforms, languages`',
    q: '`q`: text in wallet and displayName, case-insensitive',
    lists: '`domains`, `platforms`, `languages`: comma-separated lists; a user must have all values',
    xp: '`minXp`, `maxXp`: numbers, at least 0',
    live: '`live=true`: only live users with `spacePublic`',
    limit: '`limit`: clamped to 1…100, default 25',
    scan: '`scan`: clamped to limit…1000, default 400; the number of users read before filtering',
    search: '`GET /api/users/search`: 200 `{ users, total }`, highest XP first, cut to `limit` after filtering',
    'search-degraded': '`GET /api/users/search`, database unavailable: `{ users: [], degraded: true, reason }`',
    'live-list': '`GET /api/users/live`: 200 `{ live }`: live, public, with a heartbeat within 2 minutes',
    'live-fields':
      'A live user: `wallet, displayName, pfpUrl, spaceUrl, liveSince, lastHeartbeat, languages, domains, platform`',
    'space-public':
      'Both kinds of user also have `spacePublic`: whether others can see that and where the wallet is live',
    'live-degraded': '`GET /api/users/live`, database unavailable: `{ live: [], degraded: true, reason }`',
    limited: 'Both: 429 over the limit',
  },
};
