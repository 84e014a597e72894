import type { FastifyInstance } from 'fastify';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { issuePageToken } from '../../../domain/access/gateway/page-token.ts';
import { listLatestLive } from '../../../domain/people/users/find.ts';
import type { UserRecord } from '../../../domain/people/users/record.ts';
import { readSite } from '../../../domain/shop/merchants/site.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { type LiveView, renderLivePage, renderLiveProblemPage } from './page.ts';
import { CARDS, type Person } from './person.ts';

/** The page of live people, at `/live`. */
export function mountLive(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): void {
  server.get('/live', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const reading = readingOf(request);
      try {
        const view = await readView(deps, request.host.toLowerCase());
        return sendPage(reply, reading, 200, (nonce) => renderLivePage(view, reading, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, reading, refusal.status, (nonce) => renderLiveProblemPage(reading, assets, nonce));
      }
    },
  });
}

/** Reads the data of the page of live people, for one of the server's hosts. */
async function readView(deps: Deps, host: string): Promise<LiveView> {
  const now = deps.clock();
  const [{ theme }, { users, total }, pageToken] = await Promise.all([
    readSite(deps.db, deps.settings, host),
    listLatestLive(deps.db, deps.clock(), CARDS),
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
