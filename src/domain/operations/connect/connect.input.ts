import { z } from 'zod';
import { optional } from '../../../base/core/input.ts';
import { filledText, text } from '../../../base/core/text.ts';
import { callbackUrl, mayRedirectBuyer, type UrlPolicy } from '../../../base/core/url.ts';

const challenge = 'must be the base64url of a SHA-256 digest, 43 characters';
const verifier = 'must be 43 to 128 letters, digits and any of - . _ ~';

/** A program on the merchant's own machine that listens for the answer, as RFC 8252 has it. */
const isNative = (value: string): boolean => /^http:\/\/127\.0\.0\.1:\d{1,5}\//.test(value) && URL.canParse(value);

/** Signs that change how a name reads on the page where the merchant decides. */
const HIDDEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What a shop system asks a merchant for: RFC 6749 with PKCE (RFC 7636), `S256` only. */
export const grantInput = (urls: UrlPolicy) =>
  z.object({
    name: filledText(80).refine((value) => !HIDDEN.test(value), { error: 'must not contain control characters' }),
    returnUrl: text(2_048).refine((value) => isNative(value) || mayRedirectBuyer(value, urls), {
      error: 'must be an https URL, or http://127.0.0.1 with a port',
    }),
    state: optional(text(512)),
    codeChallenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: challenge }),
    webhookUrl: optional(callbackUrl(urls)),
  });

export type GrantInput = z.output<ReturnType<typeof grantInput>>;

/** The body of `POST /api/connect/token`. */
export const tokenInput = z.object({
  code: text(8_000),
  codeVerifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, { error: verifier }),
});
