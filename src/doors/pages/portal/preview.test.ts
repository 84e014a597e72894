import { expect, test } from 'vitest';
import { isPreview } from './preview.ts';

const isSeen = (headers: Record<string, string>, method = 'GET') => !isPreview({ method, headers });

test.each([
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1) Chrome/120.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
])('a program that expands links is a preview: %s', (agent) => {
  expect(isSeen({ 'user-agent': agent })).toBe(false);
});

test.each([
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 MetaMaskMobile',
  'curl/8.5.0',
  '',
])('a browser, a wallet app and a program of no name are visitors: %s', (agent) => {
  expect(isSeen({ 'user-agent': agent })).toBe(true);
});

test('a prefetch and a HEAD request are previews', () => {
  expect(isSeen({ 'sec-purpose': 'prefetch;prerender' })).toBe(false);
  expect(isSeen({ purpose: 'prefetch' })).toBe(false);
  expect(isSeen({}, 'HEAD')).toBe(false);
  expect(isSeen({})).toBe(true);
});
