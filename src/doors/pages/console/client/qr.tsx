import { useMemo } from 'preact/hooks';
import { qrSvg } from '../../../../domain/payments/quotes/uri.ts';

/** A QR code. `label` is a text of the console, never one that was entered. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const svg = useMemo(() => qrSvg(text, label), [text, label]);
  // This program makes the markup, from the modules of the code.
  return <div class="qr" dangerouslySetInnerHTML={{ __html: svg }} />;
}
