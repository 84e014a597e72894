import type { Deps } from '../../../base/platform/deps.ts';
import { issuePageToken } from '../../../domain/access/gateway/page-token.ts';
import { listLatestLive } from '../../../domain/people/users/find.ts';
import type { UserRecord } from '../../../domain/people/users/record.ts';
import { readSite } from '../../../domain/shop/merchants/site.ts';
import type { LiveView } from './page.ts';
import { CARDS, type Person } from './person.ts';

/** Reads the data of the page of live people, for one of the server's hosts. */
export async function readView(deps: Deps, host: string): Promise<LiveView> {
  const now = deps.clock();
  const [{ theme }, { users, total }, pageToken] = await Promise.all([
    readSite(deps, host),
    listLatestLive(deps, CARDS),
    issuePageToken(deps.settings, 'live', now),
  ]);
  return {
    now,
    brandName: theme.brandName,
    theme,
    people: users.map(shown),
    total,
    pageToken,
    graphqlUrl: '/api/graphql',
  };
}

function shown({ wallet, displayName, pfpUrl, xp, languages, platform, spaceUrl, liveSince }: UserRecord): Person {
  return { wallet, displayName, pfpUrl, xp, languages, platform, spaceUrl, liveSince };
}
