import { findKey } from '../keys/find.ts';
import { headerOf } from './request.ts';
import type { Strategy } from './strategy.ts';
import { bearerOf, isToken } from './tokens.ts';

/**
 * Identifies a developer by the key in `Ocp-Apim-Subscription-Key`, `x-api-key` or `Authorization: Bearer`; the first
 * one present is used. A bearer in the form of a token is left to the page tokens.
 */
export const developerKey: Strategy = (deps, request) => {
  const key = headerOf(request, 'ocp-apim-subscription-key') ?? headerOf(request, 'x-api-key');
  const { address } = request;
  const use = { address, origin: headerOf(request, 'origin') };
  if (key !== undefined) return findKey(deps, key, use);
  const bearer = bearerOf(request);
  return bearer === undefined || isToken(bearer) ? null : findKey(deps, bearer, use);
};
