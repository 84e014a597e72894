import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { askLocalWallet } from '../../../base/chain/local-wallet.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import { parseInput } from '../../../base/core/input.ts';
import { LOCAL_CHAIN_ID } from '../../../base/core/local-chains.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { isOwnOrigin } from '../../../domain/access/gateway/csrf.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';

/** Where the demo merchant's wallet answers the requests of a page (EIP-1193). */
export const TEST_WALLET_PATH = '/console/test-wallet';

/** Whether the demo merchant's wallet answers: on the local chain, and never in production. */
export const hasTestWallet = ({ settings, chain }: Pick<Deps, 'settings' | 'chain'>): boolean =>
  chain.chainId === LOCAL_CHAIN_ID && settings.environment !== 'production';

const BYTES = 65_536;

const requestInput = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) });

/**
 * The demo merchant's wallet in place of a browser's wallet, for the console of a local chain. Its key is public, as
 * every key of a local chain. Only our own pages may ask it: a page of another site must not use a session's browser.
 */
export function mountTestWallet(server: FastifyInstance, deps: Deps, guard: HttpGuard): void {
  if (!hasTestWallet(deps)) return;
  server.post(TEST_WALLET_PATH, {
    bodyLimit: BYTES,
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      try {
        const { method, host, url, raw } = request as FastifyRequest;
        if (!isOwnOrigin(deps.settings, { method, host, path: url, headers: raw.headers }))
          throw forbid('csrf_token_missing', 'The test wallet answers pages of this server only');
        const asked = parseInput(requestInput, request.body);
        return reply.send(await askLocalWallet(deps.chain, 'demoMerchant', asked));
      } catch (error) {
        const { status, message } = toRefusal(error, deps.log, request.id);
        return reply.code(status).send({ error: { code: -32_603, message } });
      }
    },
  });
}
