import { qrSvg } from '../../../domain/payments/quotes/uri.ts';
import { type Html, trusted } from '../shared/html.ts';

/** A QR code as markup for a template. */
export function qrTile(text: string, label?: string): Html {
  return trusted(qrSvg(text, label));
}
