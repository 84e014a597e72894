import { useEffect, useRef } from 'preact/hooks';
import { useStream } from '../client/stream.ts';
import { PayoutNews } from '../generated/payouts.ts';

/** A release changes several payouts at once: they are read together. */
const READ_MS = 700;

/** Reads again when payouts of the merchant change, and when the stream is open again. */
export function usePayoutNews(again: () => void): void {
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(again);
  latest.current = again;
  const readSoon = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, READ_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useStream(PayoutNews, {}, { onOpen: readSoon, onData: readSoon });
}
