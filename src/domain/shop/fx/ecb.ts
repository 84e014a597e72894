import Big from 'big.js';
import type { QuotedRate } from '../../../base/core/rates.ts';
import { DESTINATIONS } from '../../../base/outgoing/destinations.ts';
import { openFixedHost } from '../../../base/outgoing/fixed-host.ts';

/** The rates are those of the daily concertation at 14:15 in Frankfurt. Daylight saving time is ignored. */
const CONCERTATION = 'T13:15:00Z';
/** The document has about 1.5 KiB. */
const MAX_CHARACTERS = DESTINATIONS.rates.answerBytes;

const TIME = /<Cube\s+time\s*=\s*["'](\d{4}-\d{2}-\d{2})["']/;
const USD = /<Cube\s+currency\s*=\s*["']USD["']\s+rate\s*=\s*["'](\d{1,9}(?:\.\d{1,12})?)["']/;

/**
 * Parses the ECB's daily document: US dollars per euro, and the time of the rate, at most `nowMs`. Throws if the
 * document has no rate.
 *
 * @example
 * parseEcb("…<Cube time='2025-11-20'><Cube currency='USD' rate='1.1525'/>…", Date.now()).usdPerUnit; // '1.1525'
 */
export function parseEcb(xml: string, nowMs: number): QuotedRate {
  const [, date] = TIME.exec(xml) ?? [];
  const [, rate] = USD.exec(xml) ?? [];
  const quotedAt = date === undefined ? Number.NaN : Date.parse(date + CONCERTATION);
  if (rate === undefined || Number.isNaN(quotedAt)) throw new Error('The ECB document has no rate for USD');
  const usdPerUnit = new Big(rate);
  if (usdPerUnit.lte(0)) throw new Error('The ECB document has a rate of 0 for USD');
  return { usdPerUnit: usdPerUnit.toFixed(), quotedAt: Math.min(quotedAt, nowMs), provider: 'ecb' };
}

/** Fetches and parses the document. Throws if it is incomplete or has no rate. */
export async function fetchEcb(url: string, nowMs: number, signal: AbortSignal): Promise<QuotedRate> {
  const answer = await openFixedHost(url)(url, { signal });
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new Error(`The ECB answered ${answer.status}`);
  }
  let xml = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    xml += chunk;
    if (xml.length > MAX_CHARACTERS) throw new Error('The ECB document is too long');
  }
  return parseEcb(xml, nowMs);
}
