import { issuePageToken } from '../../gateway/page-token.ts';
import { readSite } from '../../merchants/site.ts';
import type { Deps } from '../../platform/deps.ts';
import { listLatestLive } from '../../users/find.ts';
import type { UserRecord } from '../../users/record.ts';
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
