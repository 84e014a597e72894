import QRCode from 'qrcode';

/** A text as a QR code: an SVG that scales to its place, with the quiet zone that scanners want. */
export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
